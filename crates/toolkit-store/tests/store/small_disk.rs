//! Small disk: a memory file system of one mebibyte, which requires the privilege to mount it.

use std::path::Path;
use std::process::Command;

/// A mounted disk, unmounted when dropped.
pub(crate) struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// Mounts a disk of one mebibyte, or prints that this user may not.
    pub(crate) fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let options = ["-t", "tmpfs", "-o", "size=1m", "toolkit-test"];
        let mounted = Command::new("mount").args(options).arg(folder.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            Some(Self(folder))
        } else {
            println!("skipped: this user may not mount a small disk");
            None
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}
