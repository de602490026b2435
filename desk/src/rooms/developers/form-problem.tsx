import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLanguage } from '../../parts/language.ts'
import type { Form } from './use-form.ts'

interface Props {
  readonly form: Pick<Form, 'problem' | 'words'>
  /** Fields that show the service's words themselves. */
  readonly fields?: readonly string[]
}

/** Why something was not done: in the service's words where it gave any, at the field where it named one. */
export const FormProblem = ({ form: { problem, words }, fields = [] }: Props) => {
  const { t } = useLanguage()
  const said = Object.entries(words)
  const others = said.filter(([path]) => !fields.some((field) => path === field || path.startsWith(`${field}.`)))
  if (said.length === 0) return <SendProblemNotice problem={problem} />
  const text = others.map(([path, message]) => (path === '' ? message : `${path}: ${message}`)).join(' ')
  return <AlertNotice>{others.length === 0 ? t('developersLookAgain') : t('developersRefused', { text })}</AlertNotice>
}
