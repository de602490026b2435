import { CodedError } from '../coded-error.ts'

export type FilmErrorCode =
  /** The plan or the options cannot be rendered: no length, a frame of odd size. */
  | 'invalid_plan'
  /** A decoder was ended from outside before its item was over. Rendering again may show it. */
  | 'decoder_killed'
  /** The encoder ended before the film did; the message ends with the last it said. */
  | 'encoder_failed'
  /** A program that was named in the settings does not work, or cannot encode H.264 and AAC. */
  | 'ffmpeg_unusable'
  /** The encoder's output is not the MP4 that was asked for. */
  | 'unexpected_output'
  /** The process that renders ended by itself: it crashed, or the system took it. */
  | 'process_ended'
  /** It was not done when its time was over, whatever it waited for. */
  | 'too_long'

/** Why there is no film. One item that cannot be decoded is no reason: its span says so. */
export class FilmError extends CodedError<FilmErrorCode> {
  override readonly name = 'FilmError'
}
