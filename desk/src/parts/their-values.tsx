import type { Words } from '@integrity/shared-ui/session/draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useId } from 'react'
import { useLanguage } from './language.ts'
import { fieldsThatDiffer, type Met } from './use-theirs.ts'

/** A field as its form calls it, and how the form writes its value where that is no plain text. */
export interface NamedField {
  readonly name: string
  readonly label: string
  readonly show?: ((value: string) => string) | undefined
}

interface Props {
  /** Undefined where nobody else has saved. */
  readonly met: Met | undefined
  /** What the form says now. */
  readonly words: Words
  readonly fields: readonly NamedField[]
  readonly onChange: (part: Words) => void
}

interface ChoiceProps extends Pick<Props, 'words' | 'onChange'> {
  readonly met: Met
  readonly field: NamedField
}

/** One field: what the one typed, what the other saved, and which of them the form says. */
const Choice = ({ met, words, field: { name, label, show }, onChange }: ChoiceProps) => {
  const { t } = useLanguage()
  const group = useId()
  return (
    <fieldset className="theirs" data-field={name}>
      <legend>{label}</legend>
      {(['mine', 'theirs'] as const).map((whose) => {
        const value = met[whose][name] ?? ''
        return (
          <label key={whose} className="check">
            <input
              type="radio"
              name={group}
              checked={words[name] === value}
              onChange={() => onChange({ [name]: value })}
            />
            <span>
              <span className="small">{t(whose === 'mine' ? 'theirsKeep' : 'theirsTake')}</span>{' '}
              <span className="their-value">{(show?.(value) ?? value) || t('theirsEmpty')}</span>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** What somebody else has saved beside what was typed here, field by field in the form's own words, to choose from. */
export const TheirValues = ({ met, words, fields, onChange }: Props) => {
  const { t } = useLanguage()
  if (!met) return null
  const differing = fieldsThatDiffer(
    met,
    fields.map(({ name }) => name),
  )
  const all = (whose: 'mine' | 'theirs') =>
    onChange(Object.fromEntries(differing.map((name) => [name, met[whose][name] ?? ''])))
  return (
    <section className="notice attention" aria-label={t('theirsTitle')}>
      <p>{t(differing.length === 0 ? 'theirsNone' : 'theirsText')}</p>
      {fields
        .filter(({ name }) => differing.includes(name))
        .map((field) => (
          <Choice key={field.name} {...{ met, words, field, onChange }} />
        ))}
      {differing.length > 1 ? (
        <Actions>
          <Button onClick={() => all('mine')}>{t('theirsKeepAll')}</Button>
          <Button onClick={() => all('theirs')}>{t('theirsTakeAll')}</Button>
        </Actions>
      ) : null}
    </section>
  )
}
