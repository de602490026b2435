import { Page } from '@integrity/shared-ui/web/shell'
import { useState } from 'react'
import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { KeyForm } from './key-form.tsx'
import { KeyPage } from './key-page.tsx'
import { KeysTable } from './keys-table.tsx'
import { SampleView } from './sample-view.tsx'
import { type Fresh, ShownSecret } from './shown-secret.tsx'

const KeysList = ({ query: { cursor } }: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const keys = useEndpoint('portal.apiKeys.list', { params: { orgId: org.id }, query: { limit: 50, cursor } })
  const at = (query: ListQuery) => ({ room: 'developers', org: org.slug, section: 'keys', query }) as const
  return (
    <Loaded question={keys}>
      {({ items, total, nextCursor }) =>
        total === 0 ? (
          <p>{t('developersKeysNone')}</p>
        ) : (
          <>
            <KeysTable items={items} />
            <Pager
              shown={items.length}
              total={total}
              first={cursor === undefined ? undefined : at({})}
              next={nextCursor === null ? undefined : at({ cursor: nextCursor })}
            />
          </>
        )
      }
    </Loaded>
  )
}

const AllKeysPage = ({ query }: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const [fresh, setFresh] = useState<Fresh>()
  return (
    <Page title={t('developersSection')} wide>
      <p>{t('developersKeysText')}</p>
      {fresh ? (
        <ShownSecret
          label={t('developersKeyShown', { of: fresh.of })}
          text={t('developersKeyShownText')}
          secret={fresh.secret}
          onDone={() => setFresh(undefined)}
        >
          <details>
            <summary>{t('developersTryIt')}</summary>
            <SampleView apiKey={fresh.secret} />
          </details>
        </ShownSecret>
      ) : null}
      <KeysList query={query} />
      <KeyForm onMade={setFresh} />
    </Page>
  )
}

interface Props {
  readonly id?: string | undefined
  readonly query: ListQuery
}

/** The organisation's keys, or the one that the address names. */
export const KeysPage = ({ id, query }: Props) =>
  id === undefined ? <AllKeysPage query={query} /> : <KeyPage key={id} id={id} />
