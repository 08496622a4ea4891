//! Query parameters that track a person across sites or count a campaign, and do not change the
//! page.
//! Source: the documentation of the services that add them, as of November 2026.

const SERVICES = `
Google Analytics and others: utm_*
Google Analytics: ga_* _ga _gl
Google Ads: gclid gclsrc gbraid wbraid gad_source gad_campaignid
Google Marketing Platform: dclid
Google Merchant Center: srsltid
Facebook: fbclid fb_action_ids fb_action_types fb_source
Instagram: igshid igsh
Microsoft Advertising: msclkid
X: twclid ref_src
TikTok: ttclid
LinkedIn: li_fat_id
Pinterest: epik
Reddit: rdt_cid
Snapchat: ScCid sc_cid
Yandex: yclid ysclid
Openstat: _openstat
Mailchimp: mc_cid mc_eid
HubSpot: _hsenc _hsmi __hstc __hssc __hsfp hsCtaTracking
Marketo: mkt_tok
Vero: vero_id vero_conv
MailerLite: ml_subscriber ml_subscriber_hash
Omeda: oly_anon_id oly_enc_id
Adobe Analytics: s_cid
impact.com: irclickid
Wicked Reports: wickedid
Matomo: pk_* mtm_* matomo_*
Piano Analytics: at_*
Klaviyo: _kx`;

/** Names, or prefixes of names when they end in `*`, each with its service. */
export const TRACKING = SERVICES.trim()
  .split('\n')
  .flatMap((row) => {
    const [service = '', names = ''] = row.split(': ');
    return names.split(' ').map((name) => [name, service]);
  });
