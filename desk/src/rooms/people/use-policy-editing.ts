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
  // The versions of the rules and of the name that the writer has seen: the service refuses to write over another's.
  seen: `${policy?.version ?? 0} ${policy?.nameVersion ?? 0}`,
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
    const latest = async () => (await own.call('portal.policies.get', { params: of })).data
    const [version, nameVersion] = words['seen']?.split(' ').map(Number) ?? []
    const write = async () => {
      // What somebody has saved long ago is met before the first of the two, so that nothing is saved in part.
      const now = wordsOfPolicy(await latest())
      if (now['seen'] !== words['seen']) return theirs.meet(now)
      if (differencesOf(before.config, config).length > 0) {
        const body = { config, expectedVersion: version }
        await own.call('portal.policies.versions.create', { params: of, body, idempotencyKey: draft.once() })
      }
      const { name: called, description } = about()
      if (called !== before.name || description !== before.description) {
        const body = { name: called, description, expectedVersion: nameVersion }
        await own.call('portal.policies.patch', { params: of, body })
      }
      leave(policyId)
      return t('peoplePolicySaved')
    }
    return theirs.guard(write, async () => wordsOfPolicy(await latest()))
  }
  const save = (): boolean => {
    const lacks = words['name']?.trim() === ''
    setMissing(lacks)
    if (!lacks) acting.attempt(() => (policy ? change(policy) : create()))
    return !lacks
  }
  return { draft, acting, missing, save, met: theirs.met }
}
