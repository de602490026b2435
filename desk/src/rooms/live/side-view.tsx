import { IntegrityError } from '@integrity/client/errors'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { useEffect, useId, useRef, useState } from 'react'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'

/** As often as phones show a new one unless their policy says otherwise, milliseconds. */
const everyMs = 10_000

interface Props {
  /** Of the session. */
  readonly id: string
}

type Shown = { readonly url: string } | 'none' | 'failed' | undefined

/** The newest picture while somebody looks at it; the address of each is let go with the next. */
const usePicture = ({ id }: Props): Shown => {
  const { own, endedBy } = useDesk()
  const [shown, setShown] = useState<Shown>()
  const isOver = useRef(false)
  useEffect(() => {
    isOver.current = false
    const look = async () => {
      try {
        const { data } = await own.call('companion.preview.get', { params: { id } })
        const url = URL.createObjectURL(await (data as Response).blob())
        if (isOver.current) URL.revokeObjectURL(url)
        else setShown({ url })
      } catch (error) {
        if (isOver.current || endedBy(error)) return
        setShown(error instanceof IntegrityError && error.kind === 'not_found' ? 'none' : 'failed')
      }
    }
    void look()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void look()
    }, everyMs)
    return () => {
      isOver.current = true
      clearInterval(timer)
    }
  }, [own, endedBy, id])
  useEffect(
    () => () => {
      if (typeof shown === 'object') URL.revokeObjectURL(shown.url)
    },
    [shown],
  )
  return shown
}

const Picture = (props: Props) => {
  const { t } = useLanguage()
  const shown = usePicture(props)
  if (typeof shown === 'object') return <img className="picture" src={shown.url} alt={t('recordedSideViewAlt')} />
  if (shown === 'failed') return <p role="alert">{t('livePictureFailed')}</p>
  return <p role="status">{shown === 'none' ? t('recordedSideViewNone') : t('loading')}</p>
}

/** What the phone beside the candidate shows now, for those who may open pictures, once they ask for it. */
export const SideView = (props: Props) => {
  const { t } = useLanguage()
  const sees = useMay('evidence.view')
  const [open, setOpen] = useState(false)
  const part = useId()
  if (!sees) return null
  return (
    <Section title={t('recordedSideView')}>
      <p>{t('recordedSideViewText')}</p>
      <Actions>
        <Button aria-expanded={open} aria-controls={part} onClick={() => setOpen(!open)}>
          {t(open ? 'recordedSideViewHide' : 'recordedSideViewShow')}
        </Button>
      </Actions>
      <div id={part}>{open ? <Picture {...props} /> : null}</div>
    </Section>
  )
}
