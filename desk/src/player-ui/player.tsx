import { pressedCommand } from '@integrity/shared-ui/browser/player-keys'
import type { CommandState } from '@integrity/shared-ui/hooks/use-player-commands'
import { usePlaying, useTicks } from '@integrity/shared-ui/hooks/use-playing'
import { useSounds } from '@integrity/shared-ui/hooks/use-sounds'
import type { Around } from '@integrity/shared-ui/player/around'
import type { BesideItems } from '@integrity/shared-ui/player/beside-items'
import type { PlayerEngine } from '@integrity/shared-ui/player/engine'
import { keyRows } from '@integrity/shared-ui/player/keys'
import type { Mark } from '@integrity/shared-ui/player/marks'
import type { Playing } from '@integrity/shared-ui/player/playing'
import { playTime, type Range } from '@integrity/shared-ui/player/range'
import type { Speech } from '@integrity/shared-ui/player/words'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { KeysList } from '@integrity/shared-ui/web/keys-list'
import { Axis } from '@integrity/shared-ui/web/player-axis'
import { WordsPanel } from '@integrity/shared-ui/web/words-panel'
import { type KeyboardEvent, type ReactNode, type RefObject, useMemo, useRef } from 'react'
import { useLanguage } from '../parts/language.ts'
import type { DeskText } from '../words/desk.ts'
import { type MarkedPlace, MarkedPlaces } from './marked-places.tsx'
import { Stage } from './stage.tsx'
import { Transport } from './transport.tsx'
import { type Panel, useCommands } from './use-commands.ts'
import { usePartWords } from './use-part-words.ts'

interface Props {
  readonly engine: PlayerEngine
  readonly around: Around
  /** Small pictures and levels, by source. */
  readonly beside: ReadonlyMap<string, BesideItems>
  readonly moments: readonly MarkedPlace[]
  readonly notes: readonly MarkedPlace[]
  /** Absent for whoever may not view evidence. */
  readonly speech: Speech | undefined
  /** What is written about a place; nothing where the person may not write. */
  readonly form: ((panel: Panel, range: Range, done: () => void) => ReactNode) | undefined
  readonly onNextReview: () => void
  /** What was being written when the player was here before. */
  readonly written?: { readonly panel: Panel; readonly range: Range } | undefined
}

const RangeWords = ({ range: { fromMs, toMs } }: { readonly range: Range }) => {
  const { t } = useLanguage()
  if (fromMs === undefined && toMs === undefined) return null
  const words = (ms: number | undefined) => (ms === undefined ? '…' : playTime(ms))
  return <p>{t('playerNoteRange', { from: words(fromMs), to: words(toMs) })}</p>
}

/** What a key came to. Of several moments at one instant it says which one is meant. */
const Said = ({ state: { said, gone }, moments }: { readonly state: CommandState } & Pick<Props, 'moments'>) => {
  const { t } = useLanguage()
  const moment = said === 'MomentHere' ? moments[gone] : undefined
  return (
    <p role="status">
      {said ? t(`player${said}`, { n: gone + 1, total: moments.length }) : null}{' '}
      {moment ? <span lang={moment.lang}>{moment.text}</span> : null}
    </p>
  )
}

const useMarks = (moments: Props['moments'], notes: Props['notes']): readonly Mark[] =>
  useMemo(
    () => [
      ...moments.map(({ atMs }) => ({ atMs, kind: 'moment' as const })),
      ...notes.map(({ atMs }) => ({ atMs, kind: 'note' as const })),
    ],
    [moments, notes],
  )

interface ListsProps extends Pick<Props, 'engine' | 'moments' | 'notes' | 'speech'> {
  readonly playing: Playing
  readonly state: CommandState
  readonly search: RefObject<HTMLInputElement | null>
  readonly onKeys: (open: boolean) => void
}

/** Below the axis: what was said, what is marked, and what the keys do. */
const Lists = ({ engine, playing, moments, notes, speech, state: { keys }, search, onKeys }: ListsProps) => {
  const { t } = useLanguage()
  const { panelWords } = usePartWords()
  return (
    <>
      {speech ? (
        <WordsPanel
          {...{ speech, search, atMs: playing.atMs, words: panelWords }}
          onPlace={(atMs) => engine.seek(atMs)}
        />
      ) : null}
      <MarkedPlaces
        {...{ engine, moments, notes }}
        second={playing.phase === 'scrubbing' ? -1 : Math.floor(playing.atMs / 1000)}
      />
      <KeysList
        title={t('playerKeys')}
        rows={keyRows}
        words={(command) => t(`playerKey.${command}` as DeskText)}
        open={keys}
        onToggle={onKeys}
      />
    </>
  )
}

/** Plays an interview: the sources side by side, the account of their time, what was said, and what people wrote of it. */
export const Player = ({ engine, around, beside, moments, notes, speech, form, onNextReview, written }: Props) => {
  const { t } = useLanguage()
  const { axisWords } = usePartWords()
  const playing = usePlaying(engine)
  const [stage, search] = [useRef<HTMLDivElement>(null), useRef<HTMLInputElement>(null)]
  const whole = useRef<HTMLDivElement>(null)
  const pictures = useMemo(() => engine.timeline.tracks.filter(({ kind }) => kind === 'pictures'), [engine])
  const marks = useMarks(moments, notes)
  const others = useMemo(
    () => () => {
      for (const items of beside.values()) items.tick()
    },
    [beside],
  )
  useTicks(engine, others)
  const sounds = useSounds(engine)
  const parts = { engine, around, pictures, moments, stage, search, onNextReview, written }
  const { state, change, run, written: now, close } = useCommands(parts)
  const { front, words } = state
  const { panel, range } = now
  // Whoever goes by keys goes on where the keys are the player's.
  const done = () => {
    close()
    whole.current?.querySelector<HTMLElement>('.seek')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const command = pressedCommand(event)
    if (!command) return
    event.preventDefault()
    run(command)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form, and no group of fields
    <div ref={whole} className="player" role="group" aria-label={t('playerSection')} onKeyDown={onKeyDown}>
      {front ? (
        <Stage
          {...{ ref: stage, tracks: pictures, front, playing }}
          onFront={(source) => change({ front: pictures.find((track) => track.source === source) })}
          onJump={() => run('gap')}
        />
      ) : null}
      <Transport {...{ engine, playing, sounds }} onCommand={run} />
      <Axis {...{ engine, playing, marks, beside }} words={axisWords} />
      <Said state={state} moments={moments} />
      <RangeWords range={range} />
      {form && !panel ? (
        <Actions>
          <Button onClick={() => run('note')}>{t('playerNoteOpen')}</Button>
        </Actions>
      ) : null}
      {form && panel ? form(panel, range, done) : null}
      <Lists
        {...{ engine, playing, moments, notes, state, search }}
        speech={words ? speech : undefined}
        onKeys={(open) => change({ keys: open })}
      />
    </div>
  )
}
