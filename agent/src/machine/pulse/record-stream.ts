import { bytesPerMs, sampleRate } from '../../core/capture/pcm.ts'
import { PulseCommand, type PulseConnection } from './pulse-connection.ts'
import { flag, monoMap, monoSpec, monoVolume, properties, text, u8, u32 } from './tagstruct.ts'

const none = 0xffff_ffff
/** 100 ms of sound are handed over at a time; without a wish it arrives seconds late. */
const fragmentBytes = bytesPerMs * 100

/** How the recorder shows in the system's list of programs that record. */
export const recordingName = 'Interview recording'

export interface RecordStream {
  /** The channel on which its sound comes. */
  channel: number
  /** The number by which the server knows this recorder. */
  index: number
}

/**
 * Has the server record a source, converted to our format. The server is told never to put the stream on another source:
 * it ends the stream when the source goes.
 */
export const createRecordStream = async (connection: PulseConnection, source: string): Promise<RecordStream> => {
  const [yes, no] = [flag(true), flag(false)]
  const place = [monoSpec(sampleRate), monoMap, u32(none), text(source)]
  const buffering = [u32(none), no, u32(fragmentBytes)]
  // no_remap, no_remix, fix_format, fix_rate, fix_channels, no_move, variable_rate
  const fixed = [no, no, no, no, no, yes, no]
  // peak_detect, adjust_latency
  const manner = [no, yes, properties({ 'media.name': recordingName }), u32(none)]
  // early_requests, dont_inhibit_auto_suspend, fail_on_suspend
  const since14 = [no, no, no]
  // No formats; volume; muted, volume_set, muted_set, relative_volume, passthrough
  const since22 = [u8(0), monoVolume, no, no, no, no, no]
  const fields = [...place, ...buffering, ...fixed, ...manner, ...since14, ...since22]
  const answer = await connection.ask(PulseCommand.createRecordStream, ...fields)
  return { channel: answer.number(), index: answer.number() }
}

/** The number of the source that a recorder is on now. @throws PulseRefusal when there is no such recorder any more */
export const sourceOfStream = async (connection: PulseConnection, { index }: RecordStream): Promise<number> => {
  const answer = await connection.ask(PulseCommand.getSourceOutputInfo, u32(index))
  // index, name, module, client, source
  for (let passed = 0; passed < 4; passed += 1) answer.next()
  return answer.number()
}
