import { packLimits } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import type { FfmpegProgram, FilmSound } from '../../../platform/film/film.types.ts'
import { FilmChildren } from '../../../platform/film/film-children.ts'
import { ItemServer } from '../../../platform/film/item-server.ts'
import { smallOfClip, smallOfStill } from '../../../platform/film/small-pictures.ts'
import { levelsOfSound } from '../../../platform/film/sound-levels.ts'
import type { BesideName } from '../../../platform/storage/sealed-pack.ts'
import { readContent } from './evidence.download.service.ts'
import type { EvidenceRow } from './evidence.types.ts'

type Call = Reads & Needs<'identities' | 'keyring' | 'sessionKeys' | 'store'>
type Pieces = Partial<Record<BesideName, Buffer>>
export interface MadePieces {
  readonly pieces: Pieces
  /** False where it could not be decoded, or not all of it. */
  readonly isWhole: boolean
}

const small = { side: packLimits.smallPixels, bytes: packLimits.smallBytes }

/** Whether an item of this type can have a small picture, or levels. A clip may have no sound; that is found out. */
export const canHave = (contentType: string, name: BesideName): boolean => {
  const [kind] = contentType.split('/')
  return kind === 'video' || kind === (name === 'small' ? 'image' : 'audio')
}

/** Makes small pictures and levels of stored items, with ffmpeg for what plays. */
export class BesideMakers {
  readonly #call: Call
  readonly #children: FilmChildren | undefined
  readonly #server: ItemServer
  /** Why an item could not be read while a decoder asked for it. */
  #readError: { readonly error: unknown } | undefined

  private constructor(call: Call, children: FilmChildren | undefined, server: ItemServer) {
    this.#call = call
    this.#children = children
    this.#server = server
  }

  /** Without ffmpeg it makes those of stills. */
  static async start(call: Call, ffmpeg: FfmpegProgram | undefined): Promise<BesideMakers> {
    let self: BesideMakers | undefined
    const server = await ItemServer.start((error) => {
      if (self) self.#readError ??= { error }
    })
    self = new BesideMakers(call, ffmpeg && new FilmChildren(ffmpeg), server)
    return self
  }

  /** Nothing where it cannot be decoded. Throws what reading the item throws, and `DecoderKilled`. */
  async make(row: EvidenceRow): Promise<MadePieces> {
    const item: FilmSound = {
      id: row.id,
      beginsMs: 0,
      atMs: 0,
      untilMs: row.durationMs ?? 0,
      toldUntilMs: row.durationMs ?? 0,
      contentType: row.contentType,
      sizeBytes: row.sizeBytes,
      read: (range) => readContent(this.#call, { item: row, range }),
    }
    if (row.contentType.startsWith('image/')) {
      const picture = await smallOfStill(item, small)
      return picture ? { pieces: { small: picture }, isWhole: true } : { pieces: {}, isWhole: false }
    }
    const children = this.#children
    if (!children) throw new Error('what plays needs ffmpeg')
    this.#readError = undefined
    const tools = { children, server: this.#server }
    const picture = canHave(row.contentType, 'small') ? await smallOfClip(item, small, tools) : undefined
    const sound = await levelsOfSound(item, packLimits.levels, tools)
    if (this.#readError) throw (this.#readError as { error: unknown }).error
    const pieces = { ...(picture && { small: picture }), ...(sound && { levels: sound.levels }) }
    return { pieces, isWhole: Object.keys(pieces).length > 0 && sound?.isWhole !== false }
  }

  async stop(): Promise<void> {
    await this.#children?.stop()
    await this.#server.stop()
  }
}
