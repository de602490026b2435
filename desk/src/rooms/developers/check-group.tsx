import { useId } from 'react'

interface Props {
  readonly label: string
  readonly name: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly chosen: readonly string[]
  readonly error?: string | undefined
  readonly onChange: (chosen: string[]) => void
}

/** Any number of a few. */
export const CheckGroup = ({ label, name, options, chosen, error, onChange }: Props) => {
  const id = useId()
  const toggle = (value: string, checked: boolean) =>
    onChange(checked ? [...chosen, value] : chosen.filter((other) => other !== value))
  return (
    <fieldset className="choices" aria-describedby={error ? `${id}error` : undefined}>
      <legend>{label}</legend>
      {options.map(({ value, label: text }) => (
        <label key={value} className="check">
          <input
            type="checkbox"
            name={name}
            value={value}
            checked={chosen.includes(value)}
            aria-invalid={error !== undefined}
            onChange={({ target }) => toggle(value, target.checked)}
          />
          {text}
        </label>
      ))}
      {error ? (
        <span id={`${id}error`} className="wrong">
          {error}
        </span>
      ) : null}
    </fieldset>
  )
}
