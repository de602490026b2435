/*
 * The content types that a page is asked to record in, the best first. WebM can be played as far as it was written;
 * MP4 is for browsers without it. Runs in Node and in a browser.
 */

export const soundRecorders = [
  { contentType: 'audio/webm;codecs=opus', codec: 'opus' },
  { contentType: 'audio/mp4;codecs=opus', codec: 'opus' },
  { contentType: 'audio/mp4', codec: 'aac' },
] as const

export const filmRecorders = [
  { contentType: 'video/webm;codecs=vp8', codec: 'vp8' },
  { contentType: 'video/webm;codecs=vp9', codec: 'vp9' },
  { contentType: 'video/mp4', codec: 'h264' },
] as const
