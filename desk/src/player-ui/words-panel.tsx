import { playTime } from '@integrity/shared-ui/player/range'
import { type Said, type Speech, searchSpeech, speechAround } from '@integrity/shared-ui/player/words'
import { type Ref, useId, useState } from 'react'
import { useLanguage } from '../parts/language.ts'
import type { DeskText } from '../words/desk.ts'

const mostAround = 4
const mostFound = 50

interface SaidProps {
  readonly said: readonly Said[]
  readonly onPlace: (atMs: number) => void
}

const SaidList = ({ said, onPlace }: SaidProps) => {
  const { t } = useLanguage()
  return (
    <ol className="plain said">
      {said.map(({ atMs, speaker, text }) => (
        <li key={`${atMs} ${speaker} ${text}`}>
          <button type="button" onClick={() => onPlace(atMs)}>
            {playTime(atMs)}
          </button>
          <span>
            <span className="small">{t(`playerSpeaker.${speaker}` as DeskText)}</span> {text}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface Props {
  readonly speech: Speech
  readonly atMs: number
  readonly search: Ref<HTMLInputElement>
  readonly onPlace: (atMs: number) => void
}

/** What is being said, and where words were said. */
export const WordsPanel = ({ speech, atMs, search, onPlace }: Props) => {
  const { t } = useLanguage()
  const id = useId()
  const [wanted, setWanted] = useState('')
  const around = speechAround(speech, atMs, mostAround)
  const found = searchSpeech(speech, wanted, mostFound)
  return (
    <section aria-label={t('playerSpeech')}>
      <SaidList said={around} onPlace={onPlace} />
      {speech.speakerSaidBy === 'agent' && speech.atMs.length > 0 ? (
        <p className="small">{t('playerSpeakerSaidByAgent')}</p>
      ) : null}
      {around.length === 0 ? <p className="small">{t('playerSpeechNone')}</p> : null}
      <div className="field">
        <label htmlFor={id}>{t('playerSearch')}</label>
        <input
          id={id}
          ref={search}
          type="text"
          autoComplete="off"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      </div>
      <p role="status" className="small">
        {wanted.trim() === '' ? null : t('playerFound', { count: found.length })}
      </p>
      <SaidList said={found} onPlace={onPlace} />
    </section>
  )
}
