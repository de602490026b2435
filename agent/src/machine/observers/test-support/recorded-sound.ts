import { createServer, type Socket } from 'node:net'
import type { RecordedSound } from '../../../core/observers/ordinary-machines.ts'
import { PulseCommand } from '../../pulse/pulse-connection.ts'
import { flag, properties, TagReader, text, u32 } from '../../pulse/tagstruct.ts'

const headerBytes = 20
const protocolVersion = 35
const nothing = Buffer.from('N')
/** Values that the agent passes over. */
const passedOver = (count: number): Buffer[] => Array.from({ length: count }, () => u32(0))

/** Answers of PulseAudio, by the command that asks. The fields stand as its protocol-native.c writes them. */
const answersOf = ({ sink, sources, streams }: RecordedSound): Readonly<Record<number, Buffer[]>> => ({
  [PulseCommand.auth]: [u32(protocolVersion)],
  [PulseCommand.setClientName]: [u32(1)],
  [PulseCommand.subscribe]: [],
  [PulseCommand.getServerInfo]: [...passedOver(5), text(sink.name), text(sources[0]?.name ?? '')],
  [PulseCommand.getSinkInfo]: [u32(0), text(sink.name), text(sink.description)],
  [PulseCommand.getSourceInfoList]: sources.flatMap(({ name, description, monitorOf }, index) => [
    ...[u32(index), text(name), text(description), ...passedOver(6)],
    ...[monitorOf === undefined ? nothing : text(monitorOf), ...passedOver(9)],
    // No ports, no active one, no formats.
    ...[u32(0), nothing, u32(0)],
  ]),
  [PulseCommand.getSourceOutputInfoList]: streams.flatMap((stream) => [
    ...passedOver(4),
    u32(sources.findIndex(({ name }) => name === stream.source)),
    ...[...passedOver(4), text(stream.peaksOnly ? 'peaks' : 'speex-float-1'), ...passedOver(1)],
    ...[properties(stream.properties), flag(false), ...passedOver(5)],
  ]),
})

const send = (socket: Socket, ...fields: Buffer[]): void => {
  const payload = Buffer.concat(fields)
  const head = Buffer.alloc(headerBytes)
  head.writeUInt32BE(payload.length, 0)
  head.writeUInt32BE(0xffff_ffff, 4)
  socket.write(Buffer.concat([head, payload]))
}

/** A sound server that gives recorded answers at this path. `asked` are the commands that were answered. */
export const serveRecordedSound = async (path: string, sound: RecordedSound) => {
  const answers = answersOf(sound)
  const asked: number[] = []
  const server = createServer((socket) => {
    let rest: Buffer = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= headerBytes && rest.length >= headerBytes + rest.readUInt32BE(0)) {
        const end = headerBytes + rest.readUInt32BE(0)
        const request = new TagReader(rest.subarray(headerBytes, end))
        rest = rest.subarray(end)
        const [command, tag] = [request.number(), request.number()]
        const answer = answers[command]
        if (answer) send(socket, u32(PulseCommand.reply), u32(tag), ...answer)
        else send(socket, u32(PulseCommand.error), u32(tag), u32(3))
        asked.push(command)
      }
    })
  })
  await new Promise<void>((resolve) => void server.listen(path, resolve))
  return { asked, close: () => server.close() }
}
