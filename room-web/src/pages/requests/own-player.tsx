import { pressedCommand } from '@integrity/shared-ui/browser/player-keys'
import { type CommandState, usePlayerCommands } from '@integrity/shared-ui/hooks/use-player-commands'
import { usePlaying, useTicks } from '@integrity/shared-ui/hooks/use-playing'
import { useSounds } from '@integrity/shared-ui/hooks/use-sounds'
import { Around } from '@integrity/shared-ui/player/around'
import { besideOf } from '@integrity/shared-ui/player/beside-all'
import { PlayerEngine } from '@integrity/shared-ui/player/engine'
import { openingMs, timelineOf } from '@integrity/shared-ui/player/timeline'
import { Axis } from '@integrity/shared-ui/web/player-axis'
import { WordsPanel } from '@integrity/shared-ui/web/words-panel'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { ownReelPorts } from '../../session/own-reels.ts'
import type { OwnIndex, OwnMoment } from '../../session/requests-api.ts'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'
import { OwnKeys, ownCommand } from './own-keys.tsx'
import { useMomentTitle } from './own-names.ts'
import { OwnStage } from './own-stage.tsx'
import { OwnTransport } from './own-transport.tsx'
import { usePartWords } from './use-part-words.ts'

/** A time that the player is sent to. Each sending is an object of its own, so that the same one may be asked for again. */
export interface SentTo {
  readonly at: string
}

interface Props extends KeptProps {
  readonly requestId: string
  readonly index: OwnIndex
  readonly sent: SentTo | undefined
  /** Those that were read so far. */
  readonly moments: readonly OwnMoment[] | undefined
  /** Words are wanted about a moment. */
  readonly onWords: (momentId: string) => void
}

interface Place extends Pick<OwnMoment, 'id' | 'rule' | 'title'> {
  readonly atMs: number
}

const usePlayer = ({ requests, visit, requestId, index }: Props) => {
  const [made] = useState(() => {
    // An ended link is said by the page; what became of the copy is in what it then reads.
    const onRefused = (error: unknown) => {
      if (!visit.endedBy(error)) void visit.refresh()
    }
    const timeline = timelineOf(index.sources)
    const ports = ownReelPorts({ call: requests.call, requestId, index, onRefused })
    const engine = new PlayerEngine(timeline, ports, openingMs(timeline))
    const beside = besideOf(engine, ports)
    const others = () => {
      for (const items of beside.values()) items.tick()
    }
    return { engine, around: new Around(engine), beside, others }
  })
  useEffect(
    () => () => {
      made.around.stop()
      made.engine.stop()
      for (const items of made.beside.values()) items.stop()
    },
    [made],
  )
  useTicks(made.engine, made.others)
  return made
}

const none: readonly OwnMoment[] = []

/** In order of time, on the time of the player. */
const placesOf = ({ startedAt }: OwnIndex, moments: readonly OwnMoment[]): readonly Place[] =>
  moments
    .map(({ id, rule, title, at }) => ({ id, rule, title, atMs: Date.parse(at) - Date.parse(startedAt ?? at) }))
    .sort((a, b) => a.atMs - b.atMs)

/** What a key came to. */
const Said = ({
  state: { said, gone },
  places,
}: {
  readonly state: CommandState
  readonly places: readonly Place[]
}) => {
  const { t } = useLanguage()
  const title = useMomentTitle()
  const moment = said === 'MomentHere' ? places[gone] : undefined
  const shown = moment && title(moment)
  return (
    <p role="status">
      {said ? t(`play${said}`, { n: gone + 1, total: places.length }) : null}{' '}
      {shown ? <span lang={shown.lang}>{shown.words}</span> : null}
    </p>
  )
}

/** Whoever opened the player, or sent it somewhere, goes on in it: its keys are for whoever is in it. */
const useArrival = ({ index, sent }: Props, around: Around) => {
  const whole = useRef<HTMLDivElement>(null)
  useEffect(() => whole.current?.focus(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read again while it plays sends it nowhere
  useEffect(() => {
    if (!sent || index.startedAt === null) return
    around.play(Date.parse(sent.at) - Date.parse(index.startedAt))
    whole.current?.scrollIntoView({ block: 'start' })
    whole.current?.focus()
  }, [around, sent])
  return whole
}

/** Plays an approved copy: each part is checked by this browser before it is shown, as where reviewers see it. */
export const OwnPlayer = (props: Props) => {
  const { t } = useLanguage()
  const words = usePartWords()
  const { index, moments = none, onWords } = props
  const { engine, around, beside } = usePlayer(props)
  const playing = usePlaying(engine)
  const sounds = useSounds(engine)
  const whole = useArrival(props, around)
  const [stage, search] = [useRef<HTMLDivElement>(null), useRef<HTMLInputElement>(null)]
  const { fromMs, toMs, tracks } = engine.timeline
  const pictures = useMemo(() => tracks.filter(({ kind, items }) => kind === 'pictures' && items.length > 0), [tracks])
  const places = useMemo(() => placesOf(index, moments), [index, moments])
  const marks = useMemo(() => places.map(({ atMs }) => ({ atMs, kind: 'moment' as const })), [places])
  const { state, change, run, momentHere } = usePlayerCommands({
    engine,
    around,
    pictures,
    moments: places,
    stage,
    search,
  })
  const write = () => {
    const here = momentHere()
    engine.pause()
    if (here) onWords(here.id)
    else change({ said: 'ExplainNone' })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const command = pressedCommand(event)
    if (!command || !ownCommand(command)) return
    event.preventDefault()
    if (command === 'explain') write()
    else run(command)
  }
  if (toMs <= fromMs) return <p>{t('playNothing')}</p>
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form, and no group of fields
    <div ref={whole} data-player role="group" tabIndex={-1} aria-label={t('playTitle')} onKeyDown={onKeyDown}>
      <OwnStage ref={stage} {...{ tracks, playing }} front={state.front} onFront={(front) => change({ front })} />
      <OwnTransport {...{ engine, playing, sounds }} onCommand={run} />
      <Axis {...{ engine, playing, marks, beside }} words={words.axis} />
      <Said state={state} places={places} />
      <p className="small">
        {t('playLines')} {t('playSmalls')}
      </p>
      {state.words && index.speech && index.speech.atMs.length > 0 ? (
        <WordsPanel
          {...{ search, atMs: playing.atMs, speech: index.speech }}
          words={words.panel}
          onPlace={(atMs) => engine.seek(atMs)}
        />
      ) : null}
      <OwnKeys open={state.keys} onToggle={(keys) => change({ keys })} />
      {index.complete ? null : <p>{t('playCut')}</p>}
    </div>
  )
}
