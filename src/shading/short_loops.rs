//! Short loops: `for` loops that count a few constant steps and nothing else, so that they need no guard and the
//! driver can unroll them.
//!
//! A parser reads the source; whatever it does not understand, and every loop that is not surely short, is not
//! named here and gets its guard. Pure.

use super::lexer::{Kind, Token};
use glsl_lang::ast::{
    self, AssignmentOpData, BinaryOpData, ConditionData, DeclarationData, ExprData, ExternalDeclarationData,
    ForInitStatementData, FunIdentifierData, InitializerData, IterationStatementData, StorageQualifierData,
    TypeQualifierSpecData, TypeSpecifierNonArrayData, UnaryOpData,
};
use glsl_lang::parse::DefaultParse as _;
use glsl_lang::visitor::{Host as _, Visit, Visitor};
use std::collections::{BTreeMap, BTreeSet};

/// Turns that a short loop has at most. No short loop lies in another, so that this only multiplies [`TURNS`].
///
/// [`TURNS`]: super::guard::TURNS
const SHORT: i64 = 64;

/// The parser must know this type to read what comes with it.
const LAMP: &str = "struct Lamp { float uv; };\n";

/// The first byte of each short loop.
pub fn short_loops(source: &str, tokens: &[Token<'_>]) -> BTreeSet<usize> {
    // ES sources end their lines in all ways; the parser's offsets are trusted only in plain ones.
    let loops = tokens.iter().any(|token| token.text == "for");
    if !loops || !source.is_ascii() || source.contains(['\r', '\\']) || too_deep(tokens) {
        return BTreeSet::new();
    }
    let Ok(unit) = ast::TranslationUnit::parse(&format!("{LAMP}{source}")) else { return BTreeSet::new() };
    let macros = Macros::read(tokens);
    let mut names = Names { numbers: macros.numbers.clone(), ..Names::default() };
    unit.visit(&mut names);
    names.take_constants(&unit);
    names.settle();
    let mut finder = Finder { names: &names, loops: Vec::new() };
    unit.visit(&mut finder);
    let found = finder.loops.into_iter().filter(|(start, end)| !macros.meet(tokens, *start, *end));
    found.map(|(start, _)| start).collect()
}

/// Whether the source is nested so deep, or its statements are so long, that walking its tree could need much stack.
fn too_deep(tokens: &[Token<'_>]) -> bool {
    let (mut depth, mut run, mut branches) = (0_usize, 0_usize, 0_usize);
    let mut deepest = (0, 0);
    for token in tokens.iter().filter(|token| token.is_solid()) {
        match token.kind {
            Kind::Punct('(' | '[' | '{') => depth += 1,
            Kind::Punct(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        run = if matches!(token.kind, Kind::Punct(';' | '{' | '}')) { 0 } else { run + 1 };
        branches += usize::from(matches!(token.text, "if" | "else" | "for" | "while" | "do" | "switch"));
        deepest = (deepest.0.max(depth), deepest.1.max(run));
    }
    deepest.0 > 50 || deepest.1 > 500 || branches > 200
}

/// The macros of a source.
#[derive(Default)]
struct Macros<'a> {
    /// Those that are one whole number.
    numbers: BTreeMap<String, i64>,
    /// Those that may be anything.
    others: BTreeSet<&'a str>,
}

impl<'a> Macros<'a> {
    fn read(tokens: &[Token<'a>]) -> Self {
        let mut macros = Self::default();
        let mut seen = BTreeSet::new();
        for (place, _) in tokens.iter().enumerate().filter(|(_, token)| token.text == "define") {
            let line = tokens[place + 1..].iter().take_while(|token| token.kind != Kind::Newline);
            let solid: Vec<_> = line.filter(|token| token.is_solid()).collect();
            let Some(name) = solid.first() else { continue };
            let value = solid.get(1).filter(|value| solid.len() == 2 && value.kind == Kind::Number);
            if !seen.insert(name.text) || value.is_none() {
                macros.others.insert(name.text);
            }
            if let Some(number) = value.and_then(|value| value.text.parse().ok()) {
                macros.numbers.insert(name.text.to_owned(), number);
            }
        }
        macros.numbers.retain(|name, _| !macros.others.contains(name.as_str()));
        macros
    }

    /// Whether a macro that may be anything stands between two bytes.
    fn meet(&self, tokens: &[Token<'_>], start: usize, end: usize) -> bool {
        let mut byte = 0;
        tokens.iter().any(|token| {
            let inside = (start..end).contains(&byte);
            byte += token.text.len();
            inside && self.others.contains(token.text)
        })
    }
}

/// What the source declares.
#[derive(Default)]
struct Names {
    /// How often each name is declared as a variable.
    declared: BTreeMap<String, usize>,
    /// Constant whole numbers.
    numbers: BTreeMap<String, i64>,
    /// What each function does; one name may stand for several.
    functions: Vec<(String, Deeds)>,
    /// Functions that loop, change their arguments, or call one that does.
    busy: BTreeSet<String>,
}

impl Names {
    fn declare(&mut self, name: &ast::Identifier) {
        *self.declared.entry(name.0.to_string()).or_default() += 1;
    }

    /// Takes the constants outside of functions; one inside may have the name of a parameter in the header.
    fn take_constants(&mut self, unit: &ast::TranslationUnit) {
        for external in &unit.0 {
            let ExternalDeclarationData::Declaration(declaration) = &external.content else { continue };
            let DeclarationData::InitDeclaratorList(list) = &declaration.content else { continue };
            let value = self.initial(list.head.initializer.as_ref());
            if let (true, Some(name), Some(value)) = (is_const_int(&list.head.ty), &list.head.name, value) {
                self.numbers.insert(name.0.to_string(), value);
            }
        }
    }

    /// A name that is declared twice may be the other one where it is read.
    fn settle(&mut self) {
        let Self { declared, numbers, functions, busy } = self;
        // A macro is declared nowhere, a constant once.
        numbers.retain(|name, _| declared.get(name).is_none_or(|count| *count == 1));
        loop {
            let is_busy = |deeds: &Deeds| deeds.loops || deeds.calls.iter().any(|name| busy.contains(name));
            let more = functions.iter().find(|(name, deeds)| is_busy(deeds) && !busy.contains(name));
            let Some((name, _)) = more else { return };
            let name = name.clone();
            busy.insert(name);
        }
    }

    fn number(&self, expression: &ast::Expr) -> Option<i64> {
        match &expression.content {
            ExprData::IntConst(value) => Some(i64::from(*value)),
            ExprData::Variable(name) => self.numbers.get(name.0.as_str()).copied(),
            ExprData::Unary(operator, value) if operator.content == UnaryOpData::Minus => Some(-self.number(value)?),
            _ => None,
        }
    }

    /// Whether a `for` loop surely ends after a few turns.
    fn is_short(&self, statement: &ast::IterationStatement) -> bool {
        let IterationStatementData::For(init, rest, body) = &statement.content else { return false };
        let Some((counter, first)) = self.counter(init) else { return false };
        let deeds = Deeds::of(|deeds| body.visit(deeds));
        let calls_busy = deeds.calls.iter().any(|name| self.busy.contains(name));
        self.turns(counter, first, rest).is_some() && !deeds.loops && !deeds.changes.contains(counter) && !calls_busy
    }

    /// `int i = 0`
    fn counter<'a>(&self, init: &'a ast::ForInitStatement) -> Option<(&'a str, i64)> {
        let ForInitStatementData::Declaration(declaration) = &init.content else { return None };
        let DeclarationData::InitDeclaratorList(list) = &declaration.content else { return None };
        let head = &list.head;
        let (true, Some(name), None, true) =
            (is_int(&head.ty), &head.name, &head.array_specifier, list.tail.is_empty())
        else {
            return None;
        };
        Some((name.0.as_str(), self.initial(head.initializer.as_ref())?))
    }

    fn initial(&self, initializer: Option<&ast::Initializer>) -> Option<i64> {
        match &initializer?.content {
            InitializerData::Simple(value) => self.number(value),
            InitializerData::List(_) => None,
        }
    }

    /// `i < 8; i++`: how many turns, where they are few.
    fn turns(&self, counter: &str, first: i64, rest: &ast::ForRestStatement) -> Option<i64> {
        let ConditionData::Expr(condition) = &rest.condition.as_ref()?.content else { return None };
        let ExprData::Binary(compare, left, right) = &condition.content else { return None };
        let (limit, step) = (self.number(right)?, self.step(counter, rest.post_expr.as_ref()?)?);
        if !is_variable(left, counter) {
            return None;
        }
        let goes_on = |value: i64| match compare.content {
            BinaryOpData::Lt => value < limit,
            BinaryOpData::Lte => value <= limit,
            BinaryOpData::Gt => value > limit,
            BinaryOpData::Gte => value >= limit,
            _ => true,
        };
        (0..=SHORT).find(|turn| !goes_on(first + turn * step))
    }

    fn step(&self, counter: &str, expression: &ast::Expr) -> Option<i64> {
        let (changed, step) = match &expression.content {
            ExprData::PostInc(changed) => (changed, 1),
            ExprData::PostDec(changed) => (changed, -1),
            ExprData::Unary(operator, changed) => match operator.content {
                UnaryOpData::Inc => (changed, 1),
                UnaryOpData::Dec => (changed, -1),
                _ => return None,
            },
            ExprData::Assignment(changed, operator, by) => match operator.content {
                AssignmentOpData::Add => (changed, self.number(by)?),
                AssignmentOpData::Sub => (changed, -self.number(by)?),
                _ => return None,
            },
            _ => return None,
        };
        is_variable(changed, counter).then_some(step)
    }
}

impl Visitor for Names {
    fn visit_single_declaration(&mut self, declaration: &ast::SingleDeclaration) -> Visit {
        declaration.name.iter().for_each(|name| self.declare(name));
        Visit::Children
    }

    fn visit_single_declaration_no_type(&mut self, declaration: &ast::SingleDeclarationNoType) -> Visit {
        self.declare(&declaration.ident.ident);
        Visit::Children
    }

    fn visit_function_parameter_declarator(&mut self, parameter: &ast::FunctionParameterDeclarator) -> Visit {
        self.declare(&parameter.ident.ident);
        Visit::Children
    }

    fn visit_condition(&mut self, condition: &ast::Condition) -> Visit {
        if let ConditionData::Assignment(_, name, _) = &condition.content {
            self.declare(name);
        }
        Visit::Children
    }

    fn visit_function_definition(&mut self, function: &ast::FunctionDefinition) -> Visit {
        let deeds = Deeds::of(|deeds| function.visit(deeds));
        self.functions.push((function.prototype.name.0.to_string(), deeds));
        Visit::Children
    }
}

/// What a piece of code does.
#[derive(Default)]
struct Deeds {
    /// Loops, or hands changes back to whoever calls.
    loops: bool,
    /// Variables that it changes.
    changes: BTreeSet<String>,
    /// Functions that it calls.
    calls: BTreeSet<String>,
}

impl Deeds {
    fn of(walk: impl FnOnce(&mut Self)) -> Self {
        let mut deeds = Self::default();
        walk(&mut deeds);
        deeds
    }
}

impl Visitor for Deeds {
    fn visit_iteration_statement(&mut self, _: &ast::IterationStatement) -> Visit {
        self.loops = true;
        Visit::Children
    }

    fn visit_storage_qualifier(&mut self, qualifier: &ast::StorageQualifier) -> Visit {
        self.loops |= matches!(qualifier.content, StorageQualifierData::Out | StorageQualifierData::InOut);
        Visit::Children
    }

    fn visit_expr(&mut self, expression: &ast::Expr) -> Visit {
        match &expression.content {
            ExprData::Assignment(changed, ..) | ExprData::PostInc(changed) | ExprData::PostDec(changed) => {
                self.changes.extend(root(changed));
            }
            ExprData::Unary(operator, changed) if matches!(operator.content, UnaryOpData::Inc | UnaryOpData::Dec) => {
                self.changes.extend(root(changed));
            }
            ExprData::FunCall(called, _) => self.calls.extend(called_name(called)),
            _ => {}
        }
        Visit::Children
    }
}

/// Finds short loops.
struct Finder<'a> {
    names: &'a Names,
    loops: Vec<(usize, usize)>,
}

impl Visitor for Finder<'_> {
    fn visit_iteration_statement(&mut self, statement: &ast::IterationStatement) -> Visit {
        if let (true, Some(span)) = (self.names.is_short(statement), statement.span) {
            let (start, end) = (usize::from(span.range().start()), usize::from(span.range().end()));
            self.loops.extend(start.checked_sub(LAMP.len()).zip(end.checked_sub(LAMP.len())));
        }
        Visit::Children
    }
}

fn is_int(ty: &ast::FullySpecifiedType) -> bool {
    ty.ty.array_specifier.is_none() && ty.ty.ty.content == TypeSpecifierNonArrayData::Int
}

fn is_const_int(ty: &ast::FullySpecifiedType) -> bool {
    if !is_int(ty) {
        return false;
    }
    let constant = TypeQualifierSpecData::Storage(StorageQualifierData::Const.into());
    ty.qualifier.as_ref().is_some_and(|all| all.qualifiers.iter().any(|one| one.content == constant))
}

fn is_variable(expression: &ast::Expr, name: &str) -> bool {
    matches!(&expression.content, ExprData::Variable(other) if other.0 == name)
}

/// The variable that an expression is a part of.
fn root(expression: &ast::Expr) -> Option<String> {
    match &expression.content {
        ExprData::Variable(name) => Some(name.0.to_string()),
        ExprData::Bracket(whole, _) | ExprData::Dot(whole, _) => root(whole),
        _ => None,
    }
}

fn called_name(called: &ast::FunIdentifier) -> Option<String> {
    match &called.content {
        FunIdentifierData::Expr(expression) => root(expression),
        FunIdentifierData::TypeSpecifier(ty) => match &ty.ty.content {
            TypeSpecifierNonArrayData::TypeName(name) => Some(name.0.to_string()),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests;
