import type { texts } from '@integrity/protocol/texts/en/consent'
import type { texts as table } from '@integrity/protocol/texts/en/consent-table'
import { type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import { type Spoken, useSpoken } from './spoken.tsx'

type ConsentText = keyof typeof texts | keyof typeof table

/** A part of the document, as the service made it. */
export interface ConsentPart<Lane extends string> {
  readonly lane: Lane
  readonly required: boolean
  readonly title: string
  readonly text: string
}

interface Answering<Lane extends string> {
  readonly of: Readonly<Partial<Record<Lane, boolean>>>
  /** Named where they are missing. */
  readonly missing: readonly Lane[]
  readonly give: (lane: Lane, answer: boolean) => void
}

interface Props<Lane extends string> {
  readonly caption: string
  readonly parts: readonly ConsentPart<Lane>[]
  readonly nameOf: (part: ConsentPart<Lane>) => string
  /** Without it only the words say how often. */
  readonly often?: ((lane: Lane) => string) | undefined
  /** Behind a part's name: its words in full, and why. */
  readonly details: (part: ConsentPart<Lane>) => ReactNode
  /** Shown in full from the start. */
  readonly opened: readonly Lane[]
  /** Without it the document is answered as a whole. */
  readonly answers?: Answering<Lane>
}

interface ChoiceProps {
  readonly lane: string
  readonly name: string
  readonly answer: boolean | undefined
  readonly missing: boolean
  readonly onAnswer: (answer: boolean) => void
}

const Choice = ({ lane, name, answer, missing, onAnswer }: ChoiceProps) => {
  const { t }: Spoken<ConsentText> = useSpoken()
  const id = useId()
  return (
    <div
      className="choice"
      role="radiogroup"
      aria-label={`${name}: ${t('consentAsk')}`}
      aria-required="true"
      aria-invalid={missing}
      aria-describedby={missing ? id : undefined}
    >
      {[true, false].map((value) => (
        <label key={String(value)}>
          <input type="radio" name={`answer-${lane}`} checked={answer === value} onChange={() => onAnswer(value)} />
          {t(value ? 'yes' : 'no')}
        </label>
      ))}
      {missing ? (
        <p id={id} className="small">
          {t('consentChoose')}
        </p>
      ) : null}
    </div>
  )
}

interface RowProps<Lane extends string> extends Pick<Props<Lane>, 'nameOf' | 'often' | 'details' | 'answers'> {
  readonly part: ConsentPart<Lane>
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

const Row = <Lane extends string>({ part, nameOf, often, details, answers, open, onOpen }: RowProps<Lane>) => {
  const { t }: Spoken<ConsentText> = useSpoken()
  const id = useId()
  const { lane, required } = part
  const name = nameOf(part)
  return (
    <tbody data-lane={lane} className={answers?.missing.includes(lane) ? 'missing' : undefined}>
      <tr>
        <th scope="row">
          <button type="button" className="fold" aria-expanded={open} aria-controls={id} onClick={() => onOpen(!open)}>
            {name}
          </button>
        </th>
        <td>
          <span className={required ? 'tag needed' : 'tag'}>{t(required ? 'consentNeeded' : 'consentChoice')}</span>
        </td>
        {often ? <td>{often(lane)}</td> : null}
        {answers ? (
          <td>
            {required ? (
              <span className="small">{t('consentWithAgreement')}</span>
            ) : (
              <Choice
                lane={lane}
                name={name}
                answer={answers.of[lane]}
                missing={answers.missing.includes(lane)}
                onAnswer={(answer) => answers.give(lane, answer)}
              />
            )}
          </td>
        ) : null}
      </tr>
      <tr id={id} className="details" hidden={!open}>
        <td colSpan={2 + (often ? 1 : 0) + (answers ? 1 : 0)}>{details(part)}</td>
      </tr>
    </tbody>
  )
}

/** What may be recorded, a row for each part: what, needed or not, how often, and the answer. */
export const ConsentTable = <Lane extends string>(props: Props<Lane>) => {
  const { caption, parts, often, answers, opened } = props
  const { t }: Spoken<ConsentText> = useSpoken()
  const [open, setOpen] = useState<ReadonlySet<Lane>>(() => new Set(opened))
  const all = parts.every(({ lane }) => open.has(lane))
  const set = (lane: Lane, shown: boolean) => setOpen(new Set([...open, lane].filter((one) => shown || one !== lane)))
  return (
    <>
      <table className="consent">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t('consentColumnWhat')}</th>
            <th scope="col">{t('consentColumnNeed')}</th>
            {often ? <th scope="col">{t('consentColumnOften')}</th> : null}
            {answers ? <th scope="col">{t('consentColumnAnswer')}</th> : null}
          </tr>
        </thead>
        {parts.map((part) => (
          <Row
            key={part.lane}
            {...props}
            part={part}
            open={open.has(part.lane)}
            onOpen={(shown) => set(part.lane, shown)}
          />
        ))}
      </table>
      {parts.length > 1 ? (
        <p>
          <Button kind="quiet" onClick={() => setOpen(new Set(all ? [] : parts.map(({ lane }) => lane)))}>
            {t(all ? 'consentFoldAll' : 'consentReadAll')}
          </Button>
        </p>
      ) : null}
    </>
  )
}
