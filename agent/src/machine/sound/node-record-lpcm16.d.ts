declare module 'node-record-lpcm16' {
  import type { ChildProcess } from 'node:child_process'
  import type { Readable } from 'node:stream'

  export interface RecordOptions {
    recorder?: 'sox' | 'rec' | 'arecord'
    sampleRate?: number
    channels?: number
    audioType?: 'raw' | 'wav'
    device?: string
  }
  export interface Recording {
    process: ChildProcess
    stream(): Readable
    stop(): void
  }
  const recorder: { record(options?: RecordOptions): Recording }
  export default recorder
}
