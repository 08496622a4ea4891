//! Query parameters that track a person across sites or count a campaign, and do not change the page.
//! Source: the documentation of the services that add them, as of November 2026: Google Analytics, Ads, Marketing Platform
//! and Merchant Center, Facebook, Instagram, Microsoft Advertising, X, TikTok, LinkedIn, Pinterest, Reddit, Snapchat,
//! Yandex, Openstat, Mailchimp, HubSpot, Marketo, Vero, MailerLite, Omeda, Adobe Analytics, impact.com, Wicked Reports,
//! Matomo, Piano Analytics, Klaviyo.

/** Names, or prefixes of names when they end in `*`, in the order of these services. */
export const TRACKING = `
utm_* ga_* _ga _gl gclid gclsrc gbraid wbraid gad_source gad_campaignid dclid srsltid
fbclid fb_action_ids fb_action_types fb_source igshid igsh msclkid twclid ref_src ttclid
li_fat_id epik rdt_cid ScCid sc_cid yclid ysclid _openstat mc_cid mc_eid
_hsenc _hsmi __hstc __hssc __hsfp hsCtaTracking mkt_tok vero_id vero_conv
ml_subscriber ml_subscriber_hash oly_anon_id oly_enc_id s_cid irclickid wickedid
pk_* mtm_* matomo_* at_* _kx`
  .trim()
  .split(/\s+/);
