import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../data/desk-api.ts'
import { useLanguage } from './language.ts'
import { shortTime, tookWords } from './spans.ts'

type Asked = ReadResult<'portal.apiKeys.requests'>['items'][number] & { readonly reason?: string | null }

const Row = ({ item }: { readonly item: Asked }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { at, method, path, status, ms, requestId, errorCode, reason } = item
  return (
    <tr data-request={requestId}>
      <th scope="row">{shortTime(at, locale)}</th>
      <td dir="ltr">
        <code>
          {method} {path}
        </code>
        <div className="small">
          {t('answeredRequestId')} <code>{requestId}</code>
        </div>
      </td>
      <td>
        {status}
        {errorCode === null ? null : (
          <div className="small">
            <code dir="ltr">{errorCode}</code>
          </div>
        )}
        {reason ? (
          <div lang="en" dir="ltr">
            {reason}
          </div>
        ) : null}
      </td>
      <td>{tookWords(ms, locale)}</td>
    </tr>
  )
}

/** The newest requests of a program: when, what, with which result, how long. */
export const AnsweredRequests = ({ title, items }: { readonly title: string; readonly items: readonly Asked[] }) => {
  const { t } = useLanguage()
  return (
    <div className="scrolled">
      <table className="list" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{t('answeredAt')}</th>
            <th scope="col">{t('answeredRequest')}</th>
            <th scope="col">{t('answeredStatus')}</th>
            <th scope="col">{t('answeredTook')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={item.requestId} item={item} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
