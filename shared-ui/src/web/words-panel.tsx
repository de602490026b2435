import { type Ref, useId, useState } from 'react'
import { playTime } from '../player/range.ts'
import { type Said, type Speech, searchSpeech, speechAround } from '../player/words.ts'

const mostAround = 4
const mostFound = 50

/** What the page that shows the player says of words. */
export interface PanelWords {
  readonly title: string
  readonly none: string
  /** Of speech of which an application alone says who speaks. */
  readonly saidByAgent: string
  readonly search: string
  readonly speaker: (name: string) => string
  readonly found: (count: number) => string
}

interface SaidProps {
  readonly words: PanelWords
  readonly said: readonly Said[]
  readonly onPlace: (atMs: number) => void
}

const SaidList = ({ words, said, onPlace }: SaidProps) => (
  <ol className="plain said">
    {said.map(({ atMs, speaker, text }) => (
      <li key={`${atMs} ${speaker} ${text}`}>
        <button type="button" onClick={() => onPlace(atMs)}>
          {playTime(atMs)}
        </button>
        <span>
          <span className="small">{words.speaker(speaker)}</span> {text}
        </span>
      </li>
    ))}
  </ol>
)

interface Props {
  readonly speech: Speech
  readonly atMs: number
  readonly search: Ref<HTMLInputElement>
  readonly onPlace: (atMs: number) => void
  readonly words: PanelWords
}

/** What is being said, and where words were said. */
export const WordsPanel = ({ speech, atMs, search, onPlace, words }: Props) => {
  const id = useId()
  const [wanted, setWanted] = useState('')
  const around = speechAround(speech, atMs, mostAround)
  const found = searchSpeech(speech, wanted, mostFound)
  return (
    <section aria-label={words.title}>
      <SaidList words={words} said={around} onPlace={onPlace} />
      {speech.speakerSaidBy === 'agent' && speech.atMs.length > 0 ? <p className="small">{words.saidByAgent}</p> : null}
      {around.length === 0 ? <p className="small">{words.none}</p> : null}
      <div className="field">
        <label htmlFor={id}>{words.search}</label>
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
        {wanted.trim() === '' ? null : words.found(found.length)}
      </p>
      <SaidList words={words} said={found} onPlace={onPlace} />
    </section>
  )
}
