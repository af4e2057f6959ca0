//! Files that are read, and atomic writes: a file appears only when it is complete. Every input of
//! the program is opened here, and every file that it writes as a whole is written here.

mod other_kind;

pub use other_kind::other_kind;

use std::borrow::Cow;
use std::fs::{File, FileType};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use encoding_rs::SHIFT_JIS;
use tempfile::{Builder, TempPath};

/// Why a path that exists cannot be read as a file: "is a folder", or "is a device or a pipe",
/// which may never end. `None` for a file, and for a pipe on the standard input, which the user has
/// connected.
pub fn not_a_file(path: &Path) -> Option<&'static str> {
    let kind = path.metadata().ok()?.file_type();
    let is_fed = path == Path::new("/dev/stdin") && is_pipe(kind);
    match kind {
        _ if kind.is_file() || is_fed => None,
        _ if kind.is_dir() => Some("is a folder"),
        _ => Some("is a device or a pipe"),
    }
}

/// Whether the path is a named pipe, for which opening waits until another program opens it.
pub fn is_named_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| is_pipe(data.file_type()))
}

#[cfg(unix)]
fn is_pipe(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

/// Opens a file to read.
///
/// # Errors
/// [`InvalidInput`](io::ErrorKind::InvalidInput) for a folder, a device or a pipe
/// ([`not_a_file`]), or another I/O error.
pub fn open(path: &Path) -> io::Result<File> {
    match not_a_file(path) {
        Some(kind) => Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it {kind}"))),
        None => File::open(path),
    }
}

/// Reads a whole file.
///
/// # Errors
/// Those of [`open`], or another I/O error.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a whole text file; see [`decode`].
///
/// # Errors
/// Those of [`read`] and [`decode`].
pub fn read_to_string(path: &Path) -> io::Result<String> {
    decode(path, &read(path)?)
}

/// The text of a file: UTF-8, else CP932 (the Shift_JIS of Japanese Windows), without a byte order
/// mark.
///
/// # Errors
/// [`InvalidData`](io::ErrorKind::InvalidData) for a file of [another kind](other_kind()), and if the
/// bytes are neither.
pub fn decode(path: &Path, bytes: &[u8]) -> io::Result<String> {
    let invalid = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
    // No text has a null byte.
    let binary = bytes.contains(&0).then_some("a binary file");
    if let Some(kind) = other_kind(path, bytes).or(binary) {
        return Err(invalid(format!("it is {kind}")));
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    str::from_utf8(bytes).map(str::to_owned).or_else(|error| {
        let text = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes);
        text.map(Cow::into_owned).ok_or_else(|| invalid(error.to_string()))
    })
}

/// A file that is written under a temporary name in its folder and renamed at the end. If it is
/// dropped earlier, or the program is killed, an existing file is unchanged.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    /// Whether it must not replace an existing file.
    is_new: bool,
    // The library's errors of a `NamedTempFile` contain its name, which the user has not given.
    file: BufWriter<File>,
    temporary: TempPath,
}

impl AtomicFile {
    /// Starts a file. Its folder must exist. Its permissions follow the umask, as those of ordinary
    /// files. The path may be a link to a file; the link stays.
    ///
    /// # Errors
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) if the path is a folder or a device, or another
    /// I/O error.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        AtomicFile::begin(path, false)
    }

    /// Starts a file that must not exist, neither now nor when it is finished.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists), or another I/O error.
    pub fn create_new(path: &Path) -> io::Result<AtomicFile> {
        if path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        AtomicFile::begin(path, true)
    }

    fn begin(path: &Path, is_new: bool) -> io::Result<AtomicFile> {
        // Renaming replaces a link, or a device, instead of writing to it.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.exists() && !path.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        // `tempfile_in` would make a file that is accessible only to its owner.
        let file = Builder::new().make_in(folder_of(path), |path| File::create_new(path))?;
        let (file, temporary) = file.into_parts();
        Ok(AtomicFile { path: path.to_owned(), is_new, file: BufWriter::new(file), temporary })
    }

    /// Writes the file to disk and renames it to its final name.
    ///
    /// # Errors
    /// The I/O error; the file is then deleted.
    pub fn finish(self) -> io::Result<()> {
        let AtomicFile { path, is_new, file, temporary } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        drop(file);
        let placed =
            if is_new { temporary.persist_noclobber(path) } else { temporary.persist(path) };
        placed.map_err(|error| error.error)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The path with a suffix added to the file name.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Writes a file completely or not at all; see [`AtomicFile`].
///
/// # Errors
/// The I/O error.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(content)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_appear_when_they_are_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "old").expect("written");
        let mut dropped = AtomicFile::create(&path).expect("a file");
        dropped.write_all(b"half").expect("written");
        drop(dropped);
        assert_eq!(fs::read(&path).expect("there"), b"old");
        write(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 1, "nothing is left");
        let error = write(&folder.path().join("nowhere/file"), b"").expect_err("no folder");
        assert!(error.raw_os_error().is_some(), "only the system's reason: {error}");
    }

    #[test]
    fn only_files_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        assert_eq!(open(&path).expect_err("missing").kind(), io::ErrorKind::NotFound);
        write(&path, "将".as_bytes()).expect("space");
        assert_eq!(read_to_string(&path).expect("a text"), "将");
        write(&path, "\u{feff}将".as_bytes()).expect("space");
        assert_eq!(read_to_string(&path).expect("a text"), "将");
        write(&path, b"\x8f\xab").expect("space");
        assert_eq!(read_to_string(&path).expect("Shift_JIS"), "将");
        write(&path, b"a\0").expect("space");
        let error = read_to_string(&path).expect_err("not a text");
        assert_eq!(error.to_string(), "it is a binary file");
        write(&path, b"\x1f\x8b\x08").expect("space");
        let error = read_to_string(&path).expect_err("not a text");
        assert_eq!(error.to_string(), "it is a gzip file (unpack it)");
        write(&path, b"a\xff").expect("space");
        let error = read_to_string(&path).expect_err("not a text").to_string();
        assert!(error.contains("utf-8") && error.contains("index 1"), "{error}");
        let error = open(folder.path()).expect_err("a folder");
        assert_eq!(error.to_string(), "it is a folder");
        if cfg!(unix) {
            let error = open(Path::new("/dev/zero")).expect_err("a device");
            assert_eq!(error.to_string(), "it is a device or a pipe");
        }
    }

    #[test]
    fn new_files_replace_no_existing_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let refused = |result: io::Result<_>| {
            assert_eq!(result.expect_err("there").kind(), io::ErrorKind::AlreadyExists);
        };
        let late = AtomicFile::create_new(&path).expect("a file");
        AtomicFile::create_new(&path).expect("not there yet").finish().expect("in its place");
        refused(late.finish());
        refused(AtomicFile::create_new(&path).map(drop));
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 1, "nothing is left");
    }

    #[test]
    fn folders_are_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let kind = AtomicFile::create(folder.path()).map(drop).map_err(|error| error.kind());
        assert_eq!(kind, Err(io::ErrorKind::InvalidInput));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        write(&link, b"new").expect("written");
        assert_eq!(fs::read(&file).expect("there"), b"new");
        assert!(link.is_symlink());
        assert!(AtomicFile::create(Path::new("/dev/null")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_those_of_ordinary_files() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let [ours, ordinary] = ["ours", "ordinary"].map(|name| folder.path().join(name));
        write(&ours, b"").expect("written");
        fs::write(&ordinary, "").expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&ours), mode(&ordinary));
    }
}
