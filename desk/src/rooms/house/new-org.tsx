import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { LineField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'

/** A further organisation, whose owner is whoever makes it. The page is loaded anew: it then knows of both. */
export const NewOrg = () => {
  const { t } = useLanguage()
  const { own, person, pageMemory, navigation } = useDesk()
  const draft = useDraft(`new-org ${person.user.id}`, { name: '' }, pageMemory)
  const [missing, setMissing] = useState(false)
  const { busy, problem, write } = useWrite('portal.orgs.list')
  const name = draft.words.name.trim()
  const make = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setMissing(name === '')
    if (name === '') return
    write(async () => {
      const { data } = await own.call('portal.orgs.create', { body: { name }, idempotencyKey: draft.once() })
      draft.clear()
      location.assign(navigation.addressOf({ room: 'today', org: data.slug }))
    })
  }
  return (
    <Section title={t('houseNewTitle')}>
      <p>{t('houseNewText')}</p>
      <form onSubmit={make} noValidate>
        <LineField
          name="name"
          label={t('houseNewName')}
          value={draft.words.name}
          onChange={(value) => draft.change({ name: value })}
          error={missing && name === '' ? t('houseNewMissing') : undefined}
          maxLength={200}
        />
        <SendProblemNotice problem={problem} conflict={t('houseNewTooMany')} />
        <Actions>
          <Button type="submit" busy={busy}>
            {t('houseNewMake')}
          </Button>
        </Actions>
      </form>
    </Section>
  )
}
