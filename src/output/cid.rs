//! The identity of this installation as an sACN source.
//!
//! Derived from the machine's own id, so that it is the same after every start and another on every machine: nodes
//! tell sources apart by it. Two shows on one machine are one source. Where the system has no machine id, each start
//! is another source, until Glowdeck keeps settings of its own. Read once, when the output starts. Deliberately
//! absent: the machine id itself, which does not go on the wire.

use uuid::Uuid;

/// Names below this one are Glowdeck's.
const NAMESPACE: Uuid = Uuid::from_u128(0x7be1_64f2_8c0d_4c1f_9a54_3c0b_6f2d_e817);

/// Where Linux keeps the machine's id.
const MACHINE_ID_FILES: [&str; 2] = ["/etc/machine-id", "/var/lib/dbus/machine-id"];

/// A component identifier: a UUID, sixteen bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cid(pub [u8; 16]);

impl Cid {
    /// This installation's.
    pub fn of_this_machine() -> Self {
        let id = MACHINE_ID_FILES.iter().find_map(|file| std::fs::read_to_string(file).ok());
        id.as_deref().and_then(Self::derived).unwrap_or_else(|| Self(Uuid::new_v4().into_bytes()))
    }

    /// From a machine id; `None` when there is none in the text, as while a system is being set up.
    fn derived(machine_id: &str) -> Option<Self> {
        let id = machine_id.trim();
        let sound = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        sound.then(|| Self(Uuid::new_v5(&NAMESPACE, id.as_bytes()).into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_stays_and_is_another_on_another_machine() {
        let of = |id: &str| Cid::derived(id);
        let one = of("0123456789abcdef0123456789abcdef\n").unwrap();
        assert_eq!(Some(one), of("0123456789abcdef0123456789abcdef"));
        assert_ne!(Some(one), of("0123456789abcdef0123456789abcdee"));
        // Version 5 of the standard variant; a change of these bytes makes every node see a new console.
        let expected = "a37a0792-b8b1-5522-8138-9ceefb924503";
        assert_eq!(Uuid::from_bytes(one.0).to_string(), expected);
    }

    #[test]
    fn what_is_no_machine_id_gives_none() {
        for text in ["", "\n", "uninitialized", "0123", "0123456789abcdef0123456789abcdeg"] {
            assert_eq!(Cid::derived(text), None);
        }
    }
}
