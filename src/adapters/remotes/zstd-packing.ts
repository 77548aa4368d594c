import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Ten to one for transcripts. A level above 5 costs more than masking does; the lines around the bytes cost more than level 3 gains. */
const LEVEL = 5;

export const zstdPacking = {
  pack: (bytes: Buffer): Buffer =>
    // Asked for here: a sync with nothing to do does not load zlib.
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }),
  unpack: (bytes: Buffer, size: number): Buffer | undefined => {
    try {
      const unpacked = zstdDecompressSync(bytes, { maxOutputLength: size + 1 });
      return unpacked.length === size ? unpacked : undefined;
    } catch {
      return undefined;
    }
  },
};
