import { type ReactNode, useId, useState } from 'react'
import { Actions, Button } from './button.tsx'
import { useLinkLanguage } from './link-language.ts'

interface FieldProps {
  /** Also the field's name in its form. */
  readonly name: string
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly optional?: boolean
  readonly help?: string | undefined
  /** What is wrong with it. */
  readonly error?: string | undefined
  readonly maxLength: number
}

interface ControlProps {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly maxLength: number
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void
}

interface FrameProps extends FieldProps {
  readonly control: (props: ControlProps) => ReactNode
}

/** A label, what helps to fill it in, what is wrong, and the field. */
const Framed = ({ name, label, value, onChange, optional = false, help, error, maxLength, control }: FrameProps) => {
  const { t } = useLinkLanguage()
  const id = useId()
  const describedBy = [help ? `${id}help` : '', error ? `${id}error` : ''].filter(Boolean).join(' ') || undefined
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {optional ? <span className="small">{t('optional')}</span> : null}
      </label>
      {help ? (
        <span id={`${id}help`} className="small">
          {help}
        </span>
      ) : null}
      {control({
        id,
        name,
        value,
        maxLength,
        'aria-describedby': describedBy,
        'aria-invalid': error !== undefined,
        onChange: ({ target }) => onChange(target.value),
      })}
      {error ? (
        <span id={`${id}error`} className="wrong">
          {error}
        </span>
      ) : null}
    </div>
  )
}

/** Several lines. */
export const WordsField = (props: FieldProps) => <Framed {...props} control={(own) => <textarea {...own} rows={5} />} />

export const EmailField = (props: Omit<FieldProps, 'maxLength'>) => (
  <Framed
    {...props}
    maxLength={254}
    control={(own) => <input {...own} type="email" autoComplete="email" dir="ltr" />}
  />
)

/** One line of words, such as a name. */
export const LineField = ({ autoComplete, ...props }: FieldProps & { readonly autoComplete?: string }) => (
  <Framed {...props} control={(own) => <input {...own} type="text" autoComplete={autoComplete ?? 'off'} />} />
)

/** A day (`2026-11-27`) or a time of day (`14:30`), chosen the way of the browser. */
export const TimeField = ({ type, ...props }: Omit<FieldProps, 'maxLength'> & { readonly type: 'date' | 'time' }) => (
  <Framed {...props} maxLength={10} control={(own) => <input {...own} maxLength={undefined} type={type} />} />
)

interface PasswordFieldProps extends Omit<FieldProps, 'maxLength'> {
  /** It is no password: a key or an address that others may not see. */
  readonly isSecret?: boolean
  /** Whether it is set here. */
  readonly isNew: boolean
}

/** A password, which a browser may keep and make; it is shown on demand. */
export const PasswordField = ({ isNew, isSecret = false, help, ...props }: PasswordFieldProps) => {
  const { t } = useLinkLanguage()
  const [shown, setShown] = useState(false)
  const show = isSecret ? t('secretShow') : t('passwordShow')
  const hide = isSecret ? t('secretHide') : t('passwordHide')
  return (
    <>
      <Framed
        {...props}
        help={help ?? (isNew ? t('passwordHelp') : undefined)}
        maxLength={1024}
        control={(own) => (
          <input
            {...own}
            type={shown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
          />
        )}
      />
      <Actions>
        <Button onClick={() => setShown(!shown)}>{shown ? hide : show}</Button>
      </Actions>
    </>
  )
}

interface Option {
  readonly value: string
  readonly label: string
}

/** One of a list. */
export const ChoiceField = ({
  options,
  ...props
}: Omit<FieldProps, 'maxLength'> & { readonly options: readonly Option[] }) => (
  <Framed
    {...props}
    maxLength={0}
    control={({ id, name, value, onChange, ...about }) => (
      <select
        {...{ id, name, value, onChange }}
        aria-describedby={about['aria-describedby']}
        aria-invalid={about['aria-invalid']}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )}
  />
)

/** One line that is typed as it is written somewhere. */
export const ExactField = (props: FieldProps) => (
  <Framed
    {...props}
    control={(own) => (
      <input {...own} type="text" autoComplete="off" autoCapitalize="none" spellCheck={false} dir="ltr" />
    )}
  />
)

/** Puts the cursor into the field that something is wrong with, which reads it out. */
export const focusField = (form: HTMLFormElement, name: string): void => {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
