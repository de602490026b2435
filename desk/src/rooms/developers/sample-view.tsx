import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import {
  languageOf,
  type SampleTask,
  sampleLanguages,
  sampleTasks,
  sampleText,
  settingsText,
  taskOf,
  taskText,
} from './samples.ts'

const Copied = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const { t } = useLanguage()
  const [copied, setCopied] = useState<string>()
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(text)
  }
  return (
    <>
      <section aria-label={label}>
        <pre className="wire" dir="ltr">
          {text}
        </pre>
      </section>
      {navigator.clipboard ? (
        <Actions>
          <Button onClick={() => void copy()}>{t('developersCopyOf', { what: label })}</Button>
        </Actions>
      ) : null}
      <p role="status">{copied === text ? t('developersCopied') : null}</p>
    </>
  )
}

interface Props {
  /** Filled in where it is known. */
  readonly apiKey: string
}

/** A program for a first task, and the settings that it finds the service and its key in. */
export const SampleView = ({ apiKey }: Props) => {
  const { t } = useLanguage()
  const { accountPage } = useDesk()
  const [task, setTask] = useState<SampleTask>('orgs.me')
  const [language, setLanguage] = useState(languageOf('curl'))
  const baseUrl = new URL('..', accountPage).href.replace(/\/$/, '')
  return (
    <>
      <div className="filters">
        <SelectField
          label={t('developersTask')}
          value={task}
          options={sampleTasks.map((id) => ({ id, label: t(taskText(id)) }))}
          onChange={(id) => setTask(taskOf(id))}
        />
        <SelectField
          label={t('developersProgramming')}
          value={language}
          options={sampleLanguages.map(({ value, label }) => ({ id: value, label }))}
          onChange={(name) => setLanguage(languageOf(name))}
        />
      </div>
      <Copied label={t('developersSettings')} text={settingsText(baseUrl, apiKey === '' ? 'sk_test_…' : apiKey)} />
      <Copied label={t('developersProgram')} text={sampleText(language, task)} />
    </>
  )
}
