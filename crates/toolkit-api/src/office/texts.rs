//! Texts of mails and public pages, in the apps' languages.
//!
//! `{{name}}` is replaced in one pass, so values are not expanded again.

use toolkit_server::settings::Language;

/// The texts of one language.
pub(crate) struct Texts {
    /// The language tag (RFC 5646).
    pub(crate) tag: &'static str,
    /// A newsletter with and without a name.
    named: &'static str,
    unnamed: &'static str,
    pub(crate) confirm_subject: &'static str,
    pub(crate) confirm_text: &'static str,
    pub(crate) unsubscribe_text: &'static str,
    pub(crate) sender_text: &'static str,
    pub(crate) confirm: Page,
    pub(crate) unsubscribe: Page,
    /// Shown after a confirmation.
    pub(crate) links_in_mails: &'static str,
    /// For an address of which nothing is stored any more.
    pub(crate) gone: &'static str,
    pub(crate) form: Form,
}

/// The pages after a form.
pub(crate) struct Form {
    pub(crate) sent_title: &'static str,
    pub(crate) sent: &'static str,
    pub(crate) asked_title: &'static str,
    pub(crate) asked: &'static str,
    pub(crate) refused_title: &'static str,
    pub(crate) send: &'static str,
    /// Labels of name, address, subject and message.
    labels: [&'static str; 4],
    pub(crate) name_wrong: &'static str,
    pub(crate) email_wrong: &'static str,
    pub(crate) subject_wrong: &'static str,
    pub(crate) message_wrong: &'static str,
    pub(crate) check_wrong: &'static str,
    pub(crate) too_many: &'static str,
    pub(crate) unavailable: &'static str,
}

impl Form {
    /// The label of a field.
    pub(crate) fn label(&self, field: &str) -> &'static str {
        let [name, email, subject, message] = self.labels;
        match field {
            "name" => name,
            "email" => email,
            "subject" => subject,
            _ => message,
        }
    }
}

/// A link's page, before and after its button is pressed.
pub(crate) struct Page {
    pub(crate) title: &'static str,
    pub(crate) question: &'static str,
    pub(crate) button: &'static str,
    pub(crate) done_title: &'static str,
    pub(crate) done: &'static str,
}

impl Texts {
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &EN,
            Language::De => &DE,
            Language::Fr => &FR,
        }
    }

    /// A newsletter, worded for the middle of a sentence.
    pub(crate) fn newsletter(&self, name: Option<&str>) -> String {
        match name {
            Some(name) => fill(self.named, |_| name),
            None => self.unnamed.to_owned(),
        }
    }
}

/// Replaces the placeholders in a text. Unknown ones stay.
pub(crate) fn fill<'v>(text: &str, value: impl Fn(&str) -> &'v str) -> String {
    let mut parts = text.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("}}") {
            Some((name, rest)) => filled.extend([value(name), rest]),
            None => filled.extend(["{{", part]),
        }
    }
    filled
}

static EN: Texts = Texts {
    tag: "en",
    named: "the newsletter “{{name}}”",
    unnamed: "the newsletter",
    confirm_subject: "Confirm your subscription",
    confirm_text: "Someone, probably you, signed this address up for {{app}}.\n\n\
        To confirm, open this page within 48 hours and press the button:\n{{link}}\n\n\
        If it wasn't you, ignore this mail. Nothing is sent unless you confirm.",
    unsubscribe_text: "To unsubscribe, now or later:\n{{link}}",
    sender_text: "Sent by {{service}}, {{address}}.",
    confirm: Page {
        title: "Confirm your subscription",
        question: "Send {{app}} to {{address}}? Nothing is sent before you confirm.",
        button: "Confirm subscription",
        done_title: "Your subscription is confirmed",
        done: "{{address}} will get {{app}}.",
    },
    unsubscribe: Page {
        title: "Unsubscribe",
        question: "Stop sending {{app}} to {{address}}?",
        button: "Unsubscribe",
        done_title: "You are unsubscribed",
        done: "{{address}} will no longer get {{app}}.",
    },
    links_in_mails: "Every mail has a link to unsubscribe.",
    gone: "Nothing is sent to this address any more.",
    form: Form {
        sent_title: "Your message was sent",
        sent: "Thank you. The reply will come by e-mail.",
        asked_title: "Check your mailbox",
        asked: "If this address is not confirmed yet, a mail with a link is on its way. Open the link within 48 hours to confirm.",
        refused_title: "Your form was not sent",
        send: "Send again",
        labels: ["Name", "E-mail address", "Subject (optional)", "Message"],
        name_wrong: "Enter your name, on one line of at most 200 characters.",
        email_wrong: "Enter an e-mail address, such as name@example.org.",
        subject_wrong: "Enter a subject of at most 200 characters, on one line.",
        message_wrong: "Enter a message of at most 10,000 characters.",
        check_wrong: "The check that you are a person is missing or has expired. It needs JavaScript. Copy what you wrote, go back to the form, reload it, and send it again.",
        too_many: "Too many forms were sent from your network. Wait a minute, then send yours again.",
        unavailable: "Your form could not be saved. Send it again in a few minutes.",
    },
};

static DE: Texts = Texts {
    tag: "de",
    named: "den Newsletter „{{name}}“",
    unnamed: "den Newsletter",
    confirm_subject: "Bitte bestätigen Sie Ihr Abonnement",
    confirm_text: "Jemand, vermutlich Sie selbst, hat {{app}} für diese Adresse bestellt.\n\n\
        Zum Bestätigen öffnen Sie innerhalb von 48 Stunden diese Seite und klicken Sie auf die Schaltfläche:\n{{link}}\n\n\
        Wenn Sie es nicht waren, müssen Sie nichts tun. Ohne Ihre Bestätigung wird nichts verschickt.",
    unsubscribe_text: "Zum Abbestellen, jetzt oder später:\n{{link}}",
    sender_text: "Diese E-Mail kommt von {{service}}, {{address}}.",
    confirm: Page {
        title: "Abonnement bestätigen",
        question: "Soll {{address}} {{app}} erhalten? Vor Ihrer Bestätigung wird nichts verschickt.",
        button: "Abonnement bestätigen",
        done_title: "Ihr Abonnement ist bestätigt",
        done: "{{address}} erhält ab jetzt {{app}}.",
    },
    unsubscribe: Page {
        title: "Abbestellen",
        question: "Soll {{address}} {{app}} nicht mehr erhalten?",
        button: "Abbestellen",
        done_title: "Sie sind abgemeldet",
        done: "{{address}} erhält {{app}} nicht mehr.",
    },
    links_in_mails: "Jede E-Mail enthält einen Link zum Abbestellen.",
    gone: "An diese Adresse wird nichts mehr verschickt.",
    form: Form {
        sent_title: "Ihre Nachricht wurde gesendet",
        sent: "Vielen Dank. Die Antwort kommt per E-Mail.",
        asked_title: "Bitte prüfen Sie Ihr Postfach",
        asked: "Falls diese Adresse noch nicht bestätigt ist, ist eine E-Mail mit einem Link unterwegs. Öffnen Sie ihn innerhalb von 48 Stunden, um zu bestätigen.",
        refused_title: "Ihr Formular wurde nicht gesendet",
        send: "Noch einmal senden",
        labels: ["Name", "E-Mail-Adresse", "Betreff (optional)", "Nachricht"],
        name_wrong: "Bitte geben Sie Ihren Namen ein, in einer Zeile von höchstens 200 Zeichen.",
        email_wrong: "Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.org.",
        subject_wrong: "Der Betreff darf höchstens 200 Zeichen in einer Zeile haben.",
        message_wrong: "Bitte geben Sie eine Nachricht von höchstens 10.000 Zeichen ein.",
        check_wrong: "Die Prüfung, ob ein Mensch das Formular ausgefüllt hat, fehlt oder ist abgelaufen. Sie braucht JavaScript. Kopieren Sie Ihren Text, gehen Sie zurück zum Formular, laden Sie es neu und senden Sie es noch einmal.",
        too_many: "Aus Ihrem Netzwerk wurden zu viele Formulare gesendet. Bitte warten Sie eine Minute und senden Sie Ihres dann noch einmal.",
        unavailable: "Ihr Formular konnte nicht gespeichert werden. Bitte senden Sie es in einigen Minuten noch einmal.",
    },
};

static FR: Texts = Texts {
    tag: "fr",
    named: "la lettre d’information « {{name}} »",
    unnamed: "la lettre d’information",
    confirm_subject: "Veuillez confirmer votre abonnement",
    confirm_text: "Quelqu’un, sans doute vous, a demandé à recevoir {{app}} à cette adresse.\n\n\
        Pour confirmer, ouvrez cette page dans les 48 heures et cliquez sur le bouton :\n{{link}}\n\n\
        Si ce n’était pas vous, ignorez ce message. Sans votre confirmation, rien n’est envoyé.",
    unsubscribe_text: "Pour vous désabonner, maintenant ou plus tard :\n{{link}}",
    sender_text: "Ce message vient de {{service}}, {{address}}.",
    confirm: Page {
        title: "Confirmer votre abonnement",
        question: "L’adresse {{address}} doit-elle recevoir {{app}} ? Rien n’est envoyé avant votre confirmation.",
        button: "Confirmer l’abonnement",
        done_title: "Votre abonnement est confirmé",
        done: "{{address}} recevra désormais {{app}}.",
    },
    unsubscribe: Page {
        title: "Se désabonner",
        question: "L’adresse {{address}} ne doit-elle plus recevoir {{app}} ?",
        button: "Se désabonner",
        done_title: "Désabonnement effectué",
        done: "{{address}} ne recevra plus {{app}}.",
    },
    links_in_mails: "Chaque message contient un lien de désabonnement.",
    gone: "Plus rien n’est envoyé à cette adresse.",
    form: Form {
        sent_title: "Votre message a été envoyé",
        sent: "Merci. La réponse vous parviendra par courriel.",
        asked_title: "Veuillez consulter votre messagerie",
        asked: "Si cette adresse n’est pas encore confirmée, un message contenant un lien est en route. Ouvrez le lien dans les 48 heures pour confirmer.",
        refused_title: "Votre formulaire n’a pas été envoyé",
        send: "Envoyer à nouveau",
        labels: ["Nom", "Adresse électronique", "Objet (facultatif)", "Message"],
        name_wrong: "Veuillez saisir votre nom, sur une ligne de 200 caractères au plus.",
        email_wrong: "Veuillez saisir une adresse électronique, par exemple nom@example.org.",
        subject_wrong: "L’objet peut avoir 200 caractères au plus, sur une ligne.",
        message_wrong: "Veuillez saisir un message de 10 000 caractères au plus.",
        check_wrong: "La vérification que vous êtes une personne manque ou a expiré. Elle a besoin de JavaScript. Copiez votre texte, revenez au formulaire, rechargez-le et envoyez-le à nouveau.",
        too_many: "Trop de formulaires ont été envoyés depuis votre réseau. Veuillez attendre une minute, puis recommencer.",
        unavailable: "Votre formulaire n’a pas pu être enregistré. Veuillez recommencer dans quelques minutes.",
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_in_again() {
        let value = |name: &str| if name == "a" { "{{b}}" } else { "x" };
        assert_eq!(fill("{{a}} {{b}} {{", value), "{{b}} x {{");
    }

    #[test]
    fn every_language_has_the_link_in_its_mails() {
        for texts in [&EN, &DE, &FR] {
            for text in [texts.confirm_text, texts.unsubscribe_text] {
                assert!(text.contains("{{link}}"), "{text}");
            }
            assert!(texts.newsletter(Some("News")).contains("News"));
        }
    }
}
