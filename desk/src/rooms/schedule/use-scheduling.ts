import { type DraftInHand, useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { useState } from 'react'
import { instantOf } from '../../data/appointment.ts'
import { zoneName } from '../../data/time-zones.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite, type Write } from '../../parts/use-write.ts'

export interface Words {
  readonly [name: string]: string
  readonly name: string
  readonly reference: string
  readonly date: string
  readonly time: string
  readonly zone: string
  readonly minutes: string
  readonly email: string
  /** The candidate's language, BCP 47. */
  readonly locale: string
  /** The id of a policy; empty for none. */
  readonly policy: string
  /** `candidate`: the side of the candidate alone, whatever the policy says; empty: as it says. */
  readonly voices: string
}

/** What is asked for this interview beside its policy. */
export const configOf = ({ voices }: Pick<Words, 'voices'>) =>
  voices === 'candidate' ? { audio: { candidateOnly: true } } : undefined

export type Wrong = 'name' | 'time' | 'email'

/** The first field that whoever fills it in has to look at again. */
const wrongIn = ({ name, date, time, zone, email }: Words): Wrong | undefined => {
  if (name.trim() === '') return 'name'
  if (instantOf(zone, { date, time }) === undefined) return 'time'
  return email.trim() === '' || looksLikeEmail(email) ? undefined : 'email'
}

interface Scheduling extends Pick<Write, 'busy' | 'problem'> {
  readonly draft: DraftInHand<Words>
  readonly wrong: Wrong | undefined
  /** Answers which field is wrong; nothing is sent then. */
  readonly schedule: () => Wrong | undefined
}

/** Makes an interview and writes to its candidate. Both arrive once, however often they have to be sent. */
export const useScheduling = (): Scheduling => {
  const { own, org, navigation, person, pageMemory } = useDesk()
  const { language } = useLanguage()
  const zone = zoneName(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const empty = {
    name: '',
    reference: '',
    date: '',
    time: '',
    zone,
    minutes: '60',
    email: '',
    locale: language.code,
    policy: '',
    voices: '',
  }
  const draft = useDraft<Words>(`schedule ${person.user.id} ${org.id}`, empty, pageMemory)
  const [wrong, setWrong] = useState<Wrong>()
  const { busy, problem, write } = useWrite('portal.sessions.list')
  const send = async () => {
    const { name, reference, date, time, zone: timeZone, minutes, email, locale, policy } = draft.words
    const once = draft.once()
    const startsAt = instantOf(timeZone, { date, time }) ?? ''
    const config = configOf(draft.words)
    const body = {
      candidateLabel: name.trim(),
      ...(reference.trim() === '' ? {} : { externalId: reference.trim() }),
      ...(policy === '' ? {} : { policyId: policy }),
      ...(config && { config }),
      schedule: { startsAt, durationMinutes: Number(minutes), timeZone },
    }
    const params = { orgId: org.id }
    const { id } = (await own.call('portal.sessions.create', { params, body, idempotencyKey: once })).data
    if (email.trim() !== '') {
      const invitation = { email: email.trim(), name: name.trim(), locale }
      const input = { params: { ...params, id }, body: invitation, idempotencyKey: `${once}-invite` }
      await own.call('portal.invitations.create', input)
    }
    draft.clear()
    navigation.go({ room: 'interview', org: org.slug, id })
  }
  const schedule = () => {
    const found = wrongIn(draft.words)
    setWrong(found)
    if (found === undefined) write(send)
    return found
  }
  return { busy, problem, draft, wrong, schedule }
}
