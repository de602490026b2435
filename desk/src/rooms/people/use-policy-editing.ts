import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useTheirs } from '../../parts/use-theirs.ts'
import { peopleAt } from './people.ts'
import { useLanguage } from './people-language.tsx'
import { type ConfigWords, configOf, differencesOf, type Policy, usualConfig, wordsOf } from './policy-config.ts'

const wordsOfPolicy = (policy: Policy | undefined): ConfigWords => ({
  name: policy?.name ?? '',
  description: policy?.description ?? '',
  ...wordsOf(policy?.config ?? usualConfig),
  // The version that the writer has seen: the service refuses a next one on top of another's.
  seen: String(policy?.version ?? 0),
})

/** A policy that is being written; what was typed stays until it is saved. */
export const usePolicyEditing = (policy: Policy | undefined) => {
  const { own, org, person, pageMemory, navigation } = useDesk()
  const { t } = useLanguage()
  const name = `policy ${person.user.id} ${org.id} ${policy?.id ?? 'new'}`
  const draft = useDraft<ConfigWords>(name, wordsOfPolicy(policy), pageMemory)
  const acting = useAttempt('portal.policies.list', 'portal.policies.get', 'portal.policies.consentPreview')
  const theirs = useTheirs(draft, wordsOfPolicy(policy), 'seen')
  const [missing, setMissing] = useState(false)
  const { words } = draft
  const config = configOf(words)
  const params = { orgId: org.id }
  const about = () => ({
    name: words['name']?.trim() ?? '',
    description: words['description']?.trim() || null,
  })
  const leave = (id: string) => {
    draft.clear()
    navigation.go(peopleAt(org, 'policies', id))
  }
  const create = async () => {
    const body = { ...about(), config }
    leave((await own.call('portal.policies.create', { params, body, idempotencyKey: draft.once() })).data.id)
    return t('peoplePolicySaved')
  }
  const change = async ({ id: policyId, ...before }: Policy) => {
    const of = { ...params, policyId }
    const { data: now } = await own.call('portal.policies.get', { params: of })
    if (String(now.version) !== words['seen']) return theirs.meet(wordsOfPolicy(now))
    // First what another's version may refuse, so that nothing is saved in part.
    if (differencesOf(before.config, config).length > 0) {
      const body = { config, expectedVersion: Number(words['seen']) }
      await own.call('portal.policies.versions.create', { params: of, body, idempotencyKey: draft.once() })
    }
    const { name: called, description } = about()
    if (called !== before.name || description !== before.description)
      await own.call('portal.policies.patch', { params: of, body: { name: called, description } })
    leave(policyId)
    return t('peoplePolicySaved')
  }
  const save = (): boolean => {
    const lacks = words['name']?.trim() === ''
    setMissing(lacks)
    if (!lacks) acting.attempt(() => (policy ? change(policy) : create()))
    return !lacks
  }
  return { draft, acting, missing, save, met: theirs.met }
}
