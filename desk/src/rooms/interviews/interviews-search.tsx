import { Actions, Button } from '@integrity/shared-ui/web/button'
import { LineField } from '@integrity/shared-ui/web/fields'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../../parts/language.ts'

/** How long nobody types before what is typed is looked for. */
const restMs = 350

interface Props {
  readonly words: string
  readonly onSearch: (words: string) => void
}

/** Looks while somebody types, and at once with Enter. */
export const InterviewsSearch = ({ words, onSearch }: Props) => {
  const { t } = useLanguage()
  const [typed, setTyped] = useState(words)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(text.trim()), restMs)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    clearTimeout(timer.current)
    onSearch(typed.trim())
  }
  return (
    <form noValidate onSubmit={submit}>
      <LineField
        name="words"
        label={t('interviewSearch')}
        help={t('interviewFindHelp')}
        value={typed}
        onChange={type}
        optional
        maxLength={200}
      />
      <Actions>
        <Button type="submit">{t('interviewFind')}</Button>
      </Actions>
    </form>
  )
}
