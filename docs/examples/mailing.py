#!/usr/bin/env python3
"""Mails a text to each subscriber of an export, with a link and the headers to unsubscribe.

usage: api-server subscribers export --app-id docs --status confirmed --format jsonl |
       mailing.py HOST[:PORT] SENDER SUBJECT TEXT-FILE SENT-FILE

SENT-FILE lists the addresses that have their mail: a second run skips them. An address that the mail server refuses is named, and
the mailing goes on; a second run tries it again.
"""

import json
import smtplib
import sys
from email.message import EmailMessage
from email.policy import SMTP

# Headers are folded and encoded beyond 78 characters otherwise, and mail programs could not read the links.
POLICY = SMTP.clone(max_line_length=998)


def ascii_domain(address):
    local, _, domain = address.rpartition("@")
    if domain.isascii():
        return address
    ascii_form = domain.encode("idna")
    # Python's codec takes some letters for others (IDNA 2003), and so a domain for somebody else's: faß.example for fass.example.
    if ascii_form.decode("idna") != domain.lower():
        raise UnicodeError(f"{domain} must be in its ASCII form, xn--…")
    return f"{local}@{ascii_form.decode()}"


def message(sender, subject, text, address, link):
    mail = EmailMessage(policy=POLICY)
    mail["From"], mail["To"], mail["Subject"] = sender, ascii_domain(address), subject
    mail["List-Unsubscribe"] = f"<{link}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(f"{text}\n\nUnsubscribe: {link}\n")
    return mail


def main(host, sender, subject, text_file, sent_file):
    with open(text_file, encoding="utf-8") as file:
        text = file.read().rstrip()
    count = refused = 0
    with open(sent_file, "a+", encoding="utf-8") as sent, smtplib.SMTP(host) as server:
        sent.seek(0)
        done = set(sent.read().split())
        for line in sys.stdin:
            subscriber = json.loads(line)
            address = subscriber["email"]
            if address in done:
                continue
            try:
                server.send_message(message(sender, subject, text, address, subscriber["unsubscribe_url"]))
            except smtplib.SMTPServerDisconnected:
                raise
            except (smtplib.SMTPException, UnicodeError) as error:
                refused += 1
                print(f"{address}: {error}")
                continue
            count += 1
            # At once: a run that breaks off must not mail anybody twice.
            print(address, file=sent, flush=True)
    print(f"sent: {count}, refused: {refused}")


main(*sys.argv[1:])
