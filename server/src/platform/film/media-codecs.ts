/*
 * What recordings may hold: the containers, and ffmpeg's names of the decoders, that browsers, phones, telephones and
 * cameras write. The film opens nothing else; whoever takes recordings in asks here what can be shown of them later.
 */

/** Names of ffmpeg's demuxers. */
export const decodableContainers = ['mov', 'matroska', 'webm', 'ogg', 'wav'] as const

export const pictureCodecs = [
  ...['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'mjpeg'],
  ...['libvpx', 'libvpx-vp9', 'libdav1d', 'libaom-av1'],
] as const

const pulseCodeCodecs = [
  ...['pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_f64le'],
  ...['pcm_s16be', 'pcm_s24be', 'pcm_s32be', 'pcm_f32be', 'pcm_f64be'],
] as const
/** G.711, and what voice recorders, telephone systems and telephones write. */
const telephoneCodecs = ['pcm_mulaw', 'pcm_alaw', 'adpcm_ima_wav', 'adpcm_ms', 'amrnb', 'amrwb'] as const

export const soundCodecs = [
  ...['opus', 'libopus', 'vorbis', 'libvorbis', 'aac', 'mp3', 'mp3float', 'flac', 'alac'],
  ...pulseCodeCodecs,
  ...telephoneCodecs,
] as const
