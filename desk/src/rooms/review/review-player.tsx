import { Around } from '@integrity/shared-ui/player/around'
import { besideOf } from '@integrity/shared-ui/player/beside-all'
import { PlayerEngine } from '@integrity/shared-ui/player/engine'
import { openingMs, timelineOf } from '@integrity/shared-ui/player/timeline'
import type { Spoken } from '@integrity/shared-ui/web/spoken'
import { useEffect, useMemo, useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { ruleTitle } from '../../parts/rule-words.ts'
import type { MarkedPlace } from '../../player-ui/marked-places.tsx'
import { Player } from '../../player-ui/player.tsx'
import type { DeskText } from '../../words/desk.ts'
import { CopyTimeLink } from './copy-time-link.tsx'
import { type OpenedStore, useCounting } from './opened-store.ts'
import { PlaceForm } from './place-form.tsx'
import { reelPortsOf } from './reel-ports.ts'
import { useKeptPlace } from './use-kept-place.ts'
import { useNextReview } from './use-next-review.ts'

type Index = ReadResult<'portal.reelIndex.get'>

/** A moment that the player is sent to. Each sending is an object of its own, so that the same one may be asked for again. */
export interface Sent {
  readonly momentId: string
}

interface Props {
  readonly id: string
  readonly index: Index
  /** Where the address says that it opens. */
  readonly openMs: number | undefined
  /** The time around it is played. */
  readonly sent: Sent | undefined
  /** Told of what has been shown. */
  readonly opened: OpenedStore
}

/** The player of this visit: what came while it was open is read into its marks, and not into what it plays. */
const usePlayer = ({
  id,
  index,
  openMs,
  atMs,
}: Omit<Props, 'sent' | 'opened'> & { readonly atMs: number | undefined }) => {
  const { own, queries, endedBy } = useDesk()
  const mayList = useMay('evidence.list')
  const [opened] = useState(() => {
    const startedAt = index.startedAt === null ? 0 : Date.parse(index.startedAt)
    // What may still be seen is in the index; the player is made again where that is less.
    const onRefused = (error: unknown) => {
      if (!endedBy(error)) void queries.changed('portal.reelIndex.get', 'sessions.detail')
    }
    const ports = reelPortsOf({ own, id, startedAt, mayList, onRefused })
    const timeline = timelineOf(index.sources)
    const engine = new PlayerEngine(timeline, ports, atMs ?? openMs ?? openingMs(timeline))
    // It asks for the first picture before the page is drawn around it.
    engine.tick()
    return { engine, around: new Around(engine), beside: besideOf(engine, ports) }
  })
  useEffect(() => {
    const { engine } = opened
    // A link to where it is already would move it to the begin of the second.
    if (openMs !== undefined && Math.abs(engine.atMs - openMs) > 1000) engine.seek(openMs)
  }, [opened, openMs])
  useEffect(
    () => () => {
      opened.around.stop()
      opened.engine.stop()
      for (const items of opened.beside.values()) items.stop()
    },
    [opened],
  )
  return opened
}

const momentsOf = ({ moments }: Index, t: Spoken<DeskText>['t']): MarkedPlace[] =>
  moments
    .map(({ id, atMs, ...moment }) => {
      const { words, lang } = ruleTitle(t, moment)
      return { id, atMs, text: words, lang }
    })
    .sort((a, b) => a.atMs - b.atMs)

const notesOf = ({ notes }: Index): MarkedPlace[] =>
  notes.flatMap(({ id, text, anchor }) => (anchor && 'atMs' in anchor ? [{ id, text, atMs: anchor.atMs }] : []))

export const ReviewPlayer = ({ id, index, openMs, sent, opened }: Props) => {
  const { t } = useLanguage()
  const mayWrite = useMay('report.annotate')
  // Of the answer, as a role may have changed since the page was opened.
  const mayView = index.speech !== undefined
  const place = useKeptPlace(id)
  const [written] = useState(mayWrite ? place.place : undefined)
  const { engine, around, beside } = usePlayer({ id, index, openMs, atMs: written?.panel.atMs })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read again while it plays sends it nowhere
  useEffect(() => {
    const moment = sent && index.moments.find((one) => one.id === sent.momentId)
    if (moment) around.play(moment.atMs)
  }, [around, sent])
  const next = useNextReview(id)
  const [moments, notes] = useMemo(() => [momentsOf(index, t), notesOf(index)], [index, t])
  useCounting(opened, engine, moments)
  if (engine.timeline.toMs <= engine.timeline.fromMs) return <p>{t('playerNothing')}</p>
  return (
    <>
      <p>{t(mayView ? 'playerText' : 'playerNoPictures')}</p>
      <Player
        {...{ engine, around, beside, moments, notes, speech: index.speech, onNextReview: next.go, written }}
        form={
          mayWrite
            ? (panel, range, close) => {
                const done = () => {
                  place.clear()
                  close()
                }
                const key = `${panel.kind} ${panel.atMs}`
                return <PlaceForm key={key} {...{ id, panel, range, moments, place, done }} />
              }
            : undefined
        }
      />
      <CopyTimeLink id={id} engine={engine} />
      <p role="status">{next.none ? t('playerNoNext') : null}</p>
    </>
  )
}
