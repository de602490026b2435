import { saveFile } from '@integrity/shared-ui/browser/save-file'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import type { ServiceFile } from '@integrity/shared-ui/session/service-file'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import { hasCopy, type OwnRequest } from '../../session/requests-api.ts'
import { ContentsPart } from './contents-part.tsx'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'

const verifyPage = '../verify/'

/** What the file with proofs is for, and where it is checked. */
const BundleCheck = () => {
  const { t } = useLanguage()
  const [before = '', after = ''] = t('bundleCheck').split('{address}')
  return (
    <>
      <p>{t('bundleWhy')}</p>
      <p>
        {before}
        <a href={verifyPage} target="_blank" rel="noreferrer">
          {new URL(verifyPage, document.baseURI).href}
        </a>
        {after}
      </p>
    </>
  )
}

/** The approved copy, as long as it can be had. */
export const CopyPart = ({ requests, visit, facts, request }: KeptProps & { readonly request: OwnRequest }) => {
  const { t, language } = useLanguage()
  const locale = useLocale()
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error) })
  const [saved, setSaved] = useState(false)
  if (!hasCopy(request, requests.time.now())) return <p>{t('copyOver')}</p>
  const save = async (fetched: Promise<ServiceFile>) => {
    setSaved(false)
    saveFile(await fetched)
    setSaved(true)
  }
  const requestId = request.id
  const saveCopy = () =>
    save(requests.call.file('candidateRequests.archive', { requestId, locale: language.code }, 'application/zip'))
  const saveBundle = () => save(requests.call.file('candidateRequests.bundle', { requestId }, 'application/zip'))
  const again = problem?.kind === 'notReached' || problem?.kind === 'tooMany'
  return (
    <>
      <p>{t('copyUntil', { until: dayAndTime(request.accessCopyUntil ?? '', locale) })}</p>
      <Actions>
        <Button kind="main" busy={busy} onClick={() => send(saveCopy)}>
          {t('copyGet')}
        </Button>
      </Actions>
      <BundleCheck />
      <Actions>
        <Button kind="quiet" busy={busy} onClick={() => send(saveBundle)}>
          {t('bundleGet')}
        </Button>
      </Actions>
      <div role="status">
        {busy ? <p>{t('copyComing')}</p> : null}
        {saved ? <p>{t('copySaved')}</p> : null}
      </div>
      <div role="alert">
        {problem ? <Notice kind="attention">{t(again ? 'copyFailed' : 'copyRefused')}</Notice> : null}
      </div>
      <ContentsPart requests={requests} visit={visit} facts={facts} requestId={request.id} />
    </>
  )
}
