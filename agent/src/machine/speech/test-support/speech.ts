import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleRate } from '../../../core/capture/pcm.ts'
import { runCommand } from '../../../shared/child-process.ts'
import type { ToneWord } from './tone-model.ts'
import { toneHertz } from './tone-model.ts'

/** Where Debian's pocketsphinx-en-us puts its model. */
export const englishModel = '/usr/share/pocketsphinx/model/en-us'
/** A model that is missing goes by its package's name. */
export const speechPrograms = [
  ...['flite', 'sox', 'soxi', 'pocketsphinx_continuous'],
  ...(existsSync(englishModel) ? [] : ['pocketsphinx-en-us']),
]

const raw = ['-r', String(sampleRate), '-c', '1', '-b', '16', '-e', 'signed', '-t', 'raw']

const run = async (program: string, args: string[]): Promise<Buffer> => {
  const { code, stdout, stderr } = await runCommand(program, args, { timeoutMs: 20_000 })
  if (code !== 0) throw new Error(`${program}: ${stderr}`)
  return stdout
}

/** Digital silence. */
export const silence = (seconds: number): Buffer => Buffer.alloc(Math.round(seconds * sampleRate) * 2)

/** One of the tone model's words, with a moment of silence behind it. */
export const tone = async (word: ToneWord, seconds = 0.8): Promise<Buffer> =>
  run('sox', [
    '-n',
    ...raw,
    '-',
    'synth',
    String(seconds),
    'sine',
    String(toneHertz[word]),
    'vol',
    '0.3',
    'pad',
    '0',
    '1',
  ])

/** A sentence said by a program (16 kHz mono, 16 bit) in a room with the faint noise every microphone has. */
export const speak = async (sentence: string): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'speech-'))
  try {
    const [said, padded, noise] = ['said.wav', 'padded.wav', 'noise.wav'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await run('flite', ['-voice', 'rms', '-t', sentence, '-o', said])
    await run('sox', [said, '-r', String(sampleRate), '-c', '1', '-b', '16', padded, 'pad', '1.5', '1.2'])
    const length = (await run('soxi', ['-D', padded])).toString().trim()
    // Always the same noise: what is recognised must not depend on luck.
    await run('sox', [
      '-R',
      '-n',
      '-r',
      String(sampleRate),
      '-c',
      '1',
      noise,
      'synth',
      length,
      'pinknoise',
      'vol',
      '0.003',
    ])
    return await run('sox', ['-R', '-m', '-v', '1', padded, '-v', '1', noise, ...raw, '-'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
