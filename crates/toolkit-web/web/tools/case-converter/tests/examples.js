//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Prose, with accents': {
    camel: 'theCafésArtOfÇayDontPanic',
    kebab: 'the-cafés-art-of-çay-dont-panic',
    title: "The Café's Art of Çay. Don't Panic",
    sentence: "The café's art of çay. Don't panic",
  },
  Acronyms: {
    camel: 'userIDOfAPIURL',
    snake: 'user_id_of_api_url',
    title: 'User ID of API URL',
  },
  Turkish: {
    upper: 'İSTANBUL ILIK',
    pascal: 'İstanbulIlık',
  },
};
