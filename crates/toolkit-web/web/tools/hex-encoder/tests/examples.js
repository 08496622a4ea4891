//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A dump': {
    hex: '00000000: 4772 c3bc c39f 65                        Gr....e\n',
  },
  'An array in C': {
    hex: 'unsigned char bytes[] = {\n  0x4f, 0x4b\n};\nunsigned int bytes_len = 2;\n',
  },
  'Back to text': {
    text: 'Grü',
    base64: 'R3LDvA==',
  },
};
