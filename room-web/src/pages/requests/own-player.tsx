import { usePlaying, useTicks } from '@integrity/shared-ui/hooks/use-playing'
import { useSounds } from '@integrity/shared-ui/hooks/use-sounds'
import { Around } from '@integrity/shared-ui/player/around'
import { PlayerEngine } from '@integrity/shared-ui/player/engine'
import { openingMs, timelineOf } from '@integrity/shared-ui/player/timeline'
import { speechAround } from '@integrity/shared-ui/player/words'
import { useEffect, useRef, useState } from 'react'
import { ownReelPorts } from '../../session/own-reels.ts'
import type { OwnIndex } from '../../session/requests-api.ts'
import type { RequestsText } from '../../texts/requests.ts'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'
import { OwnStage } from './own-stage.tsx'
import { OwnTransport } from './own-transport.tsx'

/** A time that the player is sent to. Each sending is an object of its own, so that the same one may be asked for again. */
export interface SentTo {
  readonly at: string
}

interface Props extends KeptProps {
  readonly requestId: string
  readonly index: OwnIndex
  readonly sent: SentTo | undefined
}

/** What is being said, and what was said just before. */
const mostSaid = 3

const Said = ({ index: { speech }, atMs }: { readonly index: OwnIndex; readonly atMs: number }) => {
  const { t } = useLanguage()
  if (!speech || speech.atMs.length === 0) return null
  return (
    <section aria-label={t('playSpeech')}>
      <ul className="plain">
        {speechAround(speech, atMs, mostSaid).map((said) => (
          <li key={`${said.atMs} ${said.speaker}`}>
            <span className="small">{t(`playSpeaker.${said.speaker}` as RequestsText)}:</span> {said.text}
          </li>
        ))}
      </ul>
      {speech.speakerSaidBy === 'agent' ? <p className="small">{t('playSpeakerSaidBy')}</p> : null}
    </section>
  )
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
    return { engine, around: new Around(engine) }
  })
  useEffect(
    () => () => {
      made.around.stop()
      made.engine.stop()
    },
    [made],
  )
  return made
}

const noMore = () => undefined

/** Plays an approved copy: each part is checked by this browser before it is shown, as where reviewers see it. */
export const OwnPlayer = (props: Props) => {
  const { t } = useLanguage()
  const { index, sent } = props
  const { engine, around } = usePlayer(props)
  const playing = usePlaying(engine)
  const whole = useRef<HTMLDivElement>(null)
  useTicks(engine, noMore)
  const sounds = useSounds(engine)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read again while it plays sends it nowhere
  useEffect(() => {
    if (!sent || index.startedAt === null) return
    around.play(Date.parse(sent.at) - Date.parse(index.startedAt))
    whole.current?.scrollIntoView({ block: 'start' })
    whole.current?.focus()
  }, [around, sent])
  const { fromMs, toMs, tracks } = engine.timeline
  if (toMs <= fromMs) return <p>{t('playNothing')}</p>
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form, and no group of fields
    <div ref={whole} role="group" tabIndex={-1} aria-label={t('playTitle')}>
      <OwnStage tracks={tracks} playing={playing} />
      <OwnTransport engine={engine} playing={playing} sounds={sounds} />
      <Said index={index} atMs={playing.atMs} />
      {index.complete ? null : <p>{t('playCut')}</p>}
    </div>
  )
}
