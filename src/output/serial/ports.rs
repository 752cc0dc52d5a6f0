//! The edge to serial ports: which there are, what is at them, and bytes to and from one.
//!
//! The traits are what the port threads know, so that tests bring byte streams of their own; [`SystemPorts`] is the
//! machine. Nothing here waits longer than some milliseconds, except for the system's own opening and closing, which is
//! why every port has a thread. Deliberately absent: what the bytes mean.

use serial2::{FlowControl, SerialPort, Settings};
use std::fmt;
use std::io;
use std::path::Path;
use std::time::Duration;
use thiserror::Error;

/// How long a write waits for room.
const WRITE_WAIT: Duration = Duration::from_millis(20);
/// A DMX USB Pro is a buffer behind USB to which the rate means nothing; this is what its own programs ask for.
const BAUD: u32 = 57_600;

/// A serial port of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortInfo {
    /// What it is opened by.
    pub path: String,
    /// USB serial number of what is there, where the system says.
    pub serial: Option<String>,
    /// What it calls itself, where the system says.
    pub product: Option<String>,
    /// Who made it, where the system says.
    pub maker: Option<String>,
}

impl PortInfo {
    /// Whether it says of itself that it is a DMX interface. Others are never written to unasked.
    pub fn is_dmx(&self) -> bool {
        let says = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default().to_lowercase();
            text.contains("dmx") || text.contains("enttec")
        };
        says(&self.product) || says(&self.maker)
    }
}

impl fmt::Display for PortInfo {
    /// One line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path)?;
        if let Some(serial) = &self.serial {
            write!(f, "  serial number {serial}")?;
        }
        for word in [&self.maker, &self.product].into_iter().flatten() {
            write!(f, "  {word}")?;
        }
        write!(f, "{}", if self.is_dmx() { "  (a DMX interface)" } else { "" })
    }
}

/// The serial ports of a machine.
pub trait SerialPorts: Send + Sync {
    /// Those that there are now, in a fixed order.
    ///
    /// # Errors
    /// When the system does not say.
    fn list(&self) -> io::Result<Vec<PortInfo>>;

    /// One name for a port that has several.
    fn resolve(&self, path: &str) -> String {
        path.to_owned()
    }

    /// Opens one.
    ///
    /// # Errors
    /// When it is not there, or another program has it, or this one may not.
    fn open(&self, path: &str) -> io::Result<Box<dyn SerialLine>>;
}

/// An open serial port.
pub trait SerialLine: Send {
    /// Writes what there is room for. Never waits long; `WouldBlock` or `TimedOut` where there is no room.
    ///
    /// # Errors
    /// Any other says that the port is gone.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Reads what has come. Never waits; `WouldBlock` or `TimedOut` where nothing has, 0 where the port is gone.
    ///
    /// # Errors
    /// Any other says that the port is gone.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize>;

    /// Gives up what was written and not taken yet, for which closing would wait.
    fn discard(&mut self);
}

/// Why an interface cannot be sent to now.
#[derive(Debug, Error)]
pub enum Absent {
    /// There is no DMX interface at all, or the system does not say what is at its ports.
    #[error("no free DMX interface was found; plug it in, or name its port")]
    NoneFound,
    /// No port has this serial number.
    #[error("nothing of the serial number {serial} is plugged in")]
    NoSerial {
        /// What was looked for.
        serial: String,
    },
    /// Another device of the project is sent there.
    #[error("{path} is another device's")]
    Taken {
        /// The port.
        path: String,
    },
    /// The system does not say which ports there are.
    #[error("the serial ports cannot be listed: {0}")]
    List(io::Error),
    /// The port cannot be opened.
    #[error("{path} cannot be opened: {error}")]
    Open {
        /// The port.
        path: String,
        /// What the system says.
        error: io::Error,
    },
}

/// Which port is meant; `taken` are those that other devices have.
///
/// # Errors
/// When it is not there.
pub fn find(wanted: &str, ports: &dyn SerialPorts, taken: impl Fn(&str) -> bool) -> Result<String, Absent> {
    if is_path(wanted) {
        let path = ports.resolve(wanted);
        return if taken(&path) { Err(Absent::Taken { path }) } else { Ok(path) };
    }
    let list = ports.list().map_err(Absent::List)?;
    if wanted.is_empty() {
        let free = list.into_iter().find(|port| port.is_dmx() && !taken(&port.path));
        return free.map(|port| port.path).ok_or(Absent::NoneFound);
    }
    let is_meant = |port: &PortInfo| port.serial.as_deref().is_some_and(|serial| serial.eq_ignore_ascii_case(wanted));
    let Some(PortInfo { path, .. }) = list.into_iter().find(is_meant) else {
        return Err(Absent::NoSerial { serial: wanted.to_owned() });
    };
    if taken(&path) { Err(Absent::Taken { path }) } else { Ok(path) }
}

/// Whether a port is named by where it is, rather than by a serial number.
fn is_path(wanted: &str) -> bool {
    let com = wanted.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("COM"));
    wanted.contains(['/', '\\']) || com && wanted[3..].chars().all(|char| char.is_ascii_digit()) && wanted.len() > 3
}

/// The serial ports of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemPorts;

impl SerialPorts for SystemPorts {
    fn list(&self) -> io::Result<Vec<PortInfo>> {
        let mut paths = SerialPort::available_ports()?;
        paths.sort();
        Ok(paths.iter().map(|path| identity(Path::new("/sys/class/tty"), path)).collect())
    }

    fn resolve(&self, path: &str) -> String {
        let whole = if cfg!(unix) { std::fs::canonicalize(path).ok() } else { None };
        whole.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or_else(|| path.to_owned())
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn SerialLine>> {
        let raw = |mut settings: Settings| {
            settings.set_raw();
            settings.set_baud_rate(BAUD)?;
            settings.set_flow_control(FlowControl::None);
            Ok(settings)
        };
        let mut port = SerialPort::open(path, raw)?;
        port.set_write_timeout(WRITE_WAIT)?;
        port.set_read_timeout(Duration::ZERO)?;
        Ok(Box::new(SystemLine(port)))
    }
}

struct SystemLine(SerialPort);

impl SerialLine for SystemLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }

    fn discard(&mut self) {
        // A port that is gone has nothing to discard.
        let _ = self.0.discard_output_buffer();
    }
}

/// What the system says of a port. Linux tells it in files; macOS has the serial number of an FTDI chip, as in every
/// DMX USB Pro, in the name of the port; Windows says nothing, and its ports are named COM.
fn identity(class: &Path, path: &Path) -> PortInfo {
    let name = path.file_name().unwrap_or_default();
    let mut info = PortInfo { path: path.to_string_lossy().into_owned(), ..PortInfo::default() };
    if let Some((_, serial)) = name.to_string_lossy().split_once("usbserial-") {
        info.serial = Some(serial.to_owned());
        // Enttec's serial numbers start so.
        info.maker = serial.starts_with("EN").then(|| "ENTTEC".to_owned());
    }
    let Ok(device) = std::fs::canonicalize(class.join(name).join("device")) else { return info };
    if let Some(usb) = device.ancestors().find(|folder| folder.join("idVendor").exists()) {
        let read = |file: &str| std::fs::read_to_string(usb.join(file)).ok().map(|text| text.trim().to_owned());
        (info.serial, info.product, info.maker) = (read("serial"), read("product"), read("manufacturer"));
    }
    info
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Listed(Vec<PortInfo>);

    impl SerialPorts for Listed {
        fn list(&self) -> io::Result<Vec<PortInfo>> {
            Ok(self.0.clone())
        }

        fn open(&self, _: &str) -> io::Result<Box<dyn SerialLine>> {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    fn port(path: &str, serial: &str, product: &str) -> PortInfo {
        PortInfo { path: path.into(), serial: Some(serial.into()), product: Some(product.into()), maker: None }
    }

    #[test]
    fn ports_are_found_by_path_by_serial_number_and_as_the_first_one() {
        let ports = Listed(vec![
            port("/dev/ttyACM0", "A1", "Arduino Uno"),
            port("/dev/ttyUSB0", "EN1", "DMX USB PRO"),
            port("/dev/ttyUSB1", "EN2", "DMX USB PRO Mk2"),
        ]);
        let check = |wanted: &str, taken: &[&str], expected: Result<&str, &str>| {
            let found = find(wanted, &ports, |path| taken.contains(&path)).map_err(|absent| absent.to_string());
            assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned), "{wanted}");
        };
        check("", &[], Ok("/dev/ttyUSB0"));
        check("", &["/dev/ttyUSB0"], Ok("/dev/ttyUSB1"));
        let none = "no free DMX interface was found; plug it in, or name its port";
        check("", &["/dev/ttyUSB0", "/dev/ttyUSB1"], Err(none));
        check("en2", &[], Ok("/dev/ttyUSB1"));
        check("EN2", &["/dev/ttyUSB1"], Err("/dev/ttyUSB1 is another device's"));
        check("EN3", &[], Err("nothing of the serial number EN3 is plugged in"));
        check("/dev/ttyACM0", &[], Ok("/dev/ttyACM0"));
        check("COM12", &[], Ok("COM12"));
        check("COMET", &[], Err("nothing of the serial number COMET is plugged in"));
        check("COM12", &["COM12"], Err("COM12 is another device's"));
    }

    #[cfg(unix)]
    #[test]
    fn the_serial_number_stands_in_the_systems_files_or_in_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let usb = folder.path().join("devices/usb1/1-2");
        let interface = usb.join("1-2:1.0/ttyUSB0");
        std::fs::create_dir_all(&interface).unwrap();
        for (file, text) in [
            ("idVendor", "0403\n"),
            ("serial", "EN123456\n"),
            ("product", "DMX USB PRO\n"),
            ("manufacturer", "ENTTEC\n"),
        ] {
            std::fs::write(usb.join(file), text).unwrap();
        }
        let class = folder.path().join("class");
        std::fs::create_dir_all(class.join("ttyUSB0")).unwrap();
        std::os::unix::fs::symlink(&interface, class.join("ttyUSB0/device")).unwrap();
        let found = identity(&class, Path::new("/dev/ttyUSB0"));
        assert_eq!((found.serial.as_deref(), found.maker.as_deref()), (Some("EN123456"), Some("ENTTEC")));
        assert!(found.is_dmx());
        let found = identity(&class, Path::new("/dev/cu.usbserial-EN7"));
        assert!(found.is_dmx() && found.serial.as_deref() == Some("EN7"), "{found:?}");
        assert!(!identity(&class, Path::new("/dev/ttyS0")).is_dmx());
    }
}
