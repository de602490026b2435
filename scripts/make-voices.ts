import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { voiceParts, voicesFile } from '../server/src/domains/integrations/sandbox/sandbox.voices.model.ts'
import { packetMs } from '../server/src/domains/integrations/sandbox/sandbox.webm.model.ts'
import { runProgram } from './run-program.ts'
import { speech } from './voices/speech.ts'

/**
 * Makes the voices of simulated interviews, which are committed: `node_modules/.bin/node scripts/make-voices.ts`. Needs ffmpeg
 * with libopus.
 */
const said = {
  interviewer: 'Good morning and welcome, this is a simulated interview, so everything you hear was made up',
  candidate: 'Thank you for having me, I would sort the beginnings and the ends by time, and count them',
} as const

const samplesOf = (part: keyof typeof voiceParts): Buffer => {
  const durationMs = voiceParts[part] * packetMs
  const voice = part === 'hiss' ? 'interviewer' : part
  const spoken = part === 'hiss' ? [] : [{ text: said[part], fromMs: 0, untilMs: durationMs }]
  return speech(spoken, { durationMs, voice, seed: 1 }).subarray(44)
}

const folder = await mkdtemp(join(tmpdir(), 'voices-'))
try {
  const samples = join(folder, 'voices.u8')
  await writeFile(samples, Buffer.concat([samplesOf('interviewer'), samplesOf('candidate'), samplesOf('hiss')]))
  const from = ['-f', 'u8', '-ar', '8000', '-ac', '1', '-i', samples]
  const opus = ['-c:a', 'libopus', '-b:a', '12k', '-application', 'voip', '-frame_duration', String(packetMs)]
  const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags', '+bitexact']
  const { code, output } = await runProgram('ffmpeg', ['-y', ...from, ...opus, ...plain, fileURLToPath(voicesFile)])
  if (code !== 0) throw new Error(`ffmpeg: ${output}`)
} finally {
  await rm(folder, { recursive: true })
}
