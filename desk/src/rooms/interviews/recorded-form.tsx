import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { LineField, WordsField } from '@integrity/shared-ui/web/fields'
import type { FormEvent } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { TheirValues } from '../../parts/their-values.tsx'
import { meanwhile, useAttempt } from '../../parts/use-attempt.ts'
import { useTheirs } from '../../parts/use-theirs.ts'
import type { Session } from './interview-types.ts'
import {
  changedSettings,
  numbers,
  patchOf,
  type RecordedWords,
  rebased,
  recordedWords,
  switches,
} from './recorded-words.ts'

interface Props {
  readonly session: Session
  readonly onDone: () => void
}

interface Draft extends RecordedWords {
  readonly [name: string]: string
  /** The settings that the writer has seen, and their version. */
  readonly seen: string
  readonly version: string
}

const seenOf = ({ config, policyVersion }: Pick<Session, 'config' | 'policyVersion'>) => ({
  seen: JSON.stringify(recordedWords(config)),
  version: String(policyVersion),
})

const useRecording = ({ session, onDone }: Props) => {
  const { own, org, person, pageMemory } = useDesk()
  const { id } = session
  const begun = { ...recordedWords(session.config), ...seenOf(session) }
  const draft = useDraft<Draft>(`recorded ${person.user.id} ${id}`, begun, pageMemory)
  const saving = useAttempt('sessions.detail', 'portal.sessions.consentPreview')
  const theirs = useTheirs<Draft>(draft, begun, 'version')
  const before = JSON.parse(draft.words.seen) as RecordedWords
  const save = () =>
    saving.attempt(async () => {
      const { data: now } = await own.call('sessions.detail', { params: { id } })
      // What the other person changed is shown first; the next press is meant.
      if (String(now.policyVersion) !== draft.words.version) {
        theirs.meet({ ...recordedWords(now.config), ...seenOf(now) })
        draft.change({ ...rebased(before, draft.words, now.config), ...seenOf(now) })
        return meanwhile
      }
      const body = patchOf(now.config, draft.words)
      await own.call('portal.sessions.patch', { params: { orgId: org.id, id }, body })
      draft.clear()
      onDone()
    })
  return { draft, saving, save, theirs, changed: changedSettings(before, draft.words).length }
}

const fields = [...numbers, 'requiredApps']

/** What is recorded of this interview alone; its policy stays as it is. */
export const RecordedForm = (props: Props) => {
  const { t } = useLanguage()
  const { draft, saving, save, theirs, changed } = useRecording(props)
  const { words, change } = draft
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  const named = [
    ...switches.map((name) => ({
      name,
      label: t(`recorded.${name}`),
      show: (value: string) => t(value === 'true' ? 'theirsOn' : 'theirsOff'),
    })),
    ...([...numbers, 'requiredApps'] as const).map((name) => ({ name, label: t(`recorded.${name}`) })),
  ]
  return (
    <form noValidate onSubmit={submit}>
      {switches.map((path) => (
        <label key={path} className="check">
          <input
            type="checkbox"
            name={path}
            checked={words[path] === 'true'}
            onChange={({ target }) => change({ [path]: String(target.checked) })}
          />
          {t(`recorded.${path}`)}
        </label>
      ))}
      {numbers.map((path) => (
        <LineField
          key={path}
          name={path}
          label={t(`recorded.${path}`)}
          value={words[path]}
          onChange={(typed) => change({ [path]: typed })}
          error={saving.at(path)}
          maxLength={6}
        />
      ))}
      <WordsField
        name="requiredApps"
        label={t('recorded.requiredApps')}
        value={words.requiredApps}
        onChange={(requiredApps) => change({ requiredApps })}
        error={saving.at('requiredApps')}
        optional
        maxLength={2000}
      />
      <TheirValues met={theirs.met} words={words} fields={named} onChange={change} />
      <p role="status">{t('recordedChanged', { n: changed })}</p>
      <Outcome of={saving} fields={fields} conflict={t('interviewConflict')} />
      <Actions>
        <Button type="submit" kind="main" busy={saving.busy}>
          {t(saving.busy ? 'sending' : 'recordedSave')}
        </Button>
      </Actions>
    </form>
  )
}
