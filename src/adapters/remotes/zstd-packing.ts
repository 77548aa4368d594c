import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const PARAMS = { [constants.ZSTD_c_compressionLevel]: 5 };

/** Ten to one for transcripts. A level above 5 costs more than masking does; the lines around the bytes cost more than level 3 gains. */
export const zstdPacking = {
  pack: (bytes: Buffer): Buffer => zstdCompressSync(bytes, { params: PARAMS }),
  unpack: (bytes: Buffer, size: number): Buffer | undefined => {
    try {
      const unpacked = zstdDecompressSync(bytes, { maxOutputLength: size + 1 });
      return unpacked.length === size ? unpacked : undefined;
    } catch {
      return undefined;
    }
  },
};
