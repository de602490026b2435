import { Page } from '@integrity/shared-ui/web/shell'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ReviewList } from '../../parts/review-list.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

/** The reviews that are not finished, those that wait longest first. */
export const ReviewsPage = ({ cursor }: { readonly cursor: string | undefined }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const query = { limit: 50, cursor }
  const reviews = useEndpoint('portal.reviews.list', { params: { orgId: org.id }, query })
  const at = (to: string | undefined) => ({ room: 'reviews', org: org.slug, cursor: to }) as const
  return (
    <Page title={t('reviewsTitle')} wide>
      <Loaded question={reviews}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t('noneToReview')}</p>
          ) : (
            <>
              <ReviewList items={items} />
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at(undefined)}
                next={nextCursor === null ? undefined : at(nextCursor)}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
