import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const PARAMS = { [constants.ZSTD_c_compressionLevel]: 3 };

/** Nine to one for transcripts, at the speed of the disk. */
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
