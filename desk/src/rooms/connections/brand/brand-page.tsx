import { Page } from '@integrity/shared-ui/web/shell'
import { useState } from 'react'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { useSettingsDraft } from '../../../parts/use-settings-draft.ts'
import { useTheirs } from '../../../parts/use-theirs.ts'
import { BrandForm } from './brand-form.tsx'
import { type Branding, brandBodyOf, brandWordsOf } from './brand-words.ts'
import { LogoSection } from './logo-section.tsx'
import { Previews } from './previews.tsx'

/** The form and what becomes of it, which follows each key that is pressed. */
const Editor = ({ branding }: { readonly branding: Branding }) => {
  const { own, org } = useDesk()
  const draft = useSettingsDraft(`brand ${org.id}`, brandWordsOf(branding))
  const attempt = useAttempt('portal.branding.get')
  const theirs = useTheirs(draft, brandWordsOf(branding), 'base')
  const [picture, setPicture] = useState<string>()
  const params = { orgId: org.id }
  const save = () =>
    attempt.attempt(() => {
      const set = async () => {
        const { data } = await own.call('portal.branding.set', { params, body: brandBodyOf(draft.words) })
        draft.settle(brandWordsOf(data))
        theirs.settle(brandWordsOf(data))
      }
      return theirs.guard(set, async () => brandWordsOf((await own.call('portal.branding.get', { params })).data))
    })
  const name = draft.words.displayName.trim() === '' ? org.name : draft.words.displayName
  return (
    <>
      <BrandForm words={draft.words} change={draft.change} attempt={attempt} met={theirs.met} onSave={save} />
      <LogoSection logo={branding.resolved.logo} picture={picture} onPicture={setPicture} />
      <Previews words={draft.words} name={name} logo={picture ?? branding.resolved.logo?.url} />
    </>
  )
}

/** How the organisation looks to candidates and members. */
export const BrandPage = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const branding = useEndpoint('portal.branding.get', { params: { orgId: org.id } })
  return (
    <Page title={t('connectionsBrand')} wide>
      <p>{t('connectionsBrandText')}</p>
      <Loaded question={branding}>{(data) => <Editor branding={data} />}</Loaded>
    </Page>
  )
}
