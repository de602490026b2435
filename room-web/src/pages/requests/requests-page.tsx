import type { LinkOver } from '@integrity/shared-ui/session/link-end'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { Page, Shell } from '@integrity/shared-ui/web/shell'
import { Visited } from '@integrity/shared-ui/web/visited'
import { useSyncExternalStore } from 'react'
import type { OpenRequests } from '../../browser/open-requests.ts'
import { usePageBrand } from '../../components/brand.ts'
import { AskForLink } from './ask-for-link.tsx'
import { KeptPage } from './kept-page.tsx'
import { useLanguage } from './language.ts'

interface Props {
  readonly requests: OpenRequests
  /** There was something behind the `#` of the address that is no link. */
  readonly broken: boolean
}

/** No link, or none that works: how to get one. */
const NoLinkPage = ({ requests, why }: { readonly requests: OpenRequests; readonly why: LinkOver | undefined }) => {
  const { t } = useLanguage()
  return (
    <Page title={t(why ? `${why}Title` : 'askTitle')}>
      {why ? <p>{t(`${why}Text`)}</p> : null}
      <p>{t('askText')}</p>
      <AskForLink requests={requests} />
    </Page>
  )
}

const never = () => () => {}

/** What is kept of an interview, and what its candidate may ask for. */
export const RequestsPage = ({ requests, broken }: Props) => {
  const { visit } = requests
  useSyncExternalStore(visit?.subscribe ?? never, () => visit?.state)
  const brand = usePageBrand(visit?.facts?.org)
  return (
    <Shell
      name={brand?.name}
      brand={brand}
      footer={<HelpLine contact={brand?.contact} inviter={visit?.facts?.inviter} session={visit?.facts?.session.id} />}
    >
      {visit ? (
        <Visited visit={visit} over={(why) => <NoLinkPage key={why} requests={requests} why={why} />}>
          {(facts) => <KeptPage requests={requests} visit={visit} facts={facts} />}
        </Visited>
      ) : (
        <NoLinkPage requests={requests} why={broken ? 'wrong' : undefined} />
      )}
    </Shell>
  )
}
