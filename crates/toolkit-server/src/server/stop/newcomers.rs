//! Newcomers: connections that the system has and no worker has taken yet, including half-open
//! ones, which no call on the listening socket counts.
//!
//! Where the system does not list connections, there may always be some.

use std::fs;

/// Their states in Linux's list: open, half-open, and closed by the client.
const STATES: [&str; 3] = ["01", "03", "08"];

/// Whether a port has any, given how many of its connections workers have taken.
pub(super) fn are_there(port: u16, known: usize) -> bool {
    let lists = ["/proc/net/tcp", "/proc/net/tcp6"].map(fs::read_to_string);
    let [Ok(v4), v6] = lists else { return true };
    are_among(&(v4 + &v6.unwrap_or_default()), port, known)
}

fn are_among(list: &str, port: u16, known: usize) -> bool {
    let port = format!(":{port:04X}");
    let mut accepted = 0;
    for line in list.lines().filter(|line| line.contains(&port)) {
        let fields: Vec<_> = line.split_ascii_whitespace().collect();
        if let [_, local, _, state, _, _, _, _, _, inode, ..] = fields[..]
            && local.ends_with(&port)
            && STATES.contains(&state)
        {
            // Without an inode, no process owns it.
            if inode == "0" {
                return true;
            }
            accepted += 1;
        }
    }
    accepted > known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_that_no_worker_has_are_newcomers() {
        let list = |state, inode| {
            format!(
                "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
                 0: 0100007F:1F90 00000000:0000 0A 00000000:00000001 00:00000000 00000000     0        0 77 1 0\n   \
                 1: 0100007F:1F90 0100007F:C001 {state} 00000000:00000000 00:00000000 00000000     0        0 {inode} 1 0\n   \
                 2: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 0 1 0\n"
            )
        };
        assert!(are_among(&list("03", 0), 8080, 0), "half-open");
        assert!(are_among(&list("01", 0), 8080, 5), "in the system's queue");
        assert!(are_among(&list("08", 99), 8080, 0), "in a worker's queue");
        assert!(!are_among(&list("01", 99), 8080, 1));
        assert!(!are_among(&list("06", 0), 8080, 0), "it is over");
        assert!(!are_among(&list("01", 99), 8081, 0), "on another port");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_lists_a_connection_until_it_is_accepted() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        assert!(!are_there(address.port(), 0));
        let client = std::net::TcpStream::connect(address).unwrap();
        assert!(are_there(address.port(), 9));
        let accepted = listener.accept().unwrap();
        assert!(are_there(address.port(), 0) && !are_there(address.port(), 1));
        drop((client, accepted));
    }
}
