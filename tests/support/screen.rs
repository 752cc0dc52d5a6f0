//! A display of a test's own, a program on it, and what is seen. Needs Xvfb, xdotool and ImageMagick;
//! `tools/setup --tests` installs them.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes of a pixel.
pub const DEPTH: usize = 3;
/// What has not come after so long does not come.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Ends a program when the test ends, however it does.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program that says nothing.
pub fn start(command: &mut Command) -> Running {
    let name = command.get_program().to_owned();
    let child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn();
    Running(child.unwrap_or_else(|error| panic!("{name:?}: {error}; tools/setup --tests installs what is missing")))
}

/// A display that nobody else has.
pub struct Screen {
    _server: Running,
    /// As `DISPLAY` wants it.
    pub name: String,
    /// Its size, pixels.
    pub size: [usize; 2],
}

/// The pixels of a screen, RGB, row by row.
pub struct Picture {
    pub size: [usize; 2],
    pub pixels: Vec<u8>,
}

impl Screen {
    pub fn new(size: [usize; 2]) -> Self {
        let screen = format!("{}x{}x24", size[0], size[1]);
        let arguments = ["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp"];
        let mut server = start(Command::new("Xvfb").args(arguments).stdout(Stdio::piped()));
        let mut number = String::new();
        BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { _server: server, name: format!(":{}", number.trim()), size }
    }

    /// What this version of Glowdeck would be started with here; nothing of the desktop's gets through.
    pub fn glowdeck(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glowdeck"));
        command.env("DISPLAY", &self.name).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        command
    }

    /// What a program says that does something on this display.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Vec<u8> {
        let output = Command::new(program).args(arguments).env("DISPLAY", &self.name).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}; tools/setup --tests installs it"));
        output.stdout
    }

    /// All of the display.
    pub fn shot(&self) -> Picture {
        let picture = Picture::read(&self.run("import", &["-window", "root", "png24:-"]));
        assert_eq!(picture.size, self.size);
        picture
    }

    /// Takes screenshots until one serves.
    pub fn shot_when(&self, what: &str, mut serves: impl FnMut(&Picture) -> bool) -> Picture {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let picture = self.shot();
            if serves(&picture) {
                return picture;
            }
            assert!(Instant::now() < deadline, "the window never showed {what}");
        }
    }
}

impl Picture {
    /// From a PNG of red, green and blue.
    pub fn read(file: &[u8]) -> Self {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let size = [info.width as usize, info.height as usize];
        assert_eq!(pixels.len(), size[0] * size[1] * DEPTH);
        Self { size, pixels }
    }

    /// As a PNG.
    pub fn png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size[0] as u32, self.size[1] as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(&self.pixels).unwrap();
        file
    }

    /// A part of a row.
    pub fn row(&self, y: usize, columns: std::ops::Range<usize>) -> impl Iterator<Item = [u8; 3]> {
        let row = &self.pixels[y * self.size[0] * DEPTH..][..self.size[0] * DEPTH];
        row[columns.start * DEPTH..columns.end * DEPTH].chunks_exact(DEPTH).map(|pixel| [pixel[0], pixel[1], pixel[2]])
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &[u8]> {
        self.pixels.chunks_exact(DEPTH)
    }
}
