import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/access-copy.ts'

/** What the page in a candidate's copy says beside what the page of the requests says. */
export const texts: Translated<typeof en> = {
  copyTitle: 'आपके साक्षात्कार का जो रखा गया है, उसकी प्रति',
  made: 'प्रति बनी',
  zone: 'समय {zone} के हैं।',
  forPrograms: 'यही सब, हर विवरण के साथ, प्रोग्रामों के लिए:',
  agreedTitle: 'पूछे जाने पर आपने क्या उत्तर दिया',
  agreedNone: 'कोई उत्तर दर्ज नहीं है।',
  yes: 'हाँ',
  no: 'नहीं',
  recordingsTitle: 'तस्वीरें, आवाज़ और रिकॉर्डिंग',
  wasErased: 'यह मिटा दिया गया है।',
  unreadable: 'इसे पढ़ा नहीं जा सका, और यह इस प्रति में नहीं है।',
  saidTitle: 'जो कहा गया, जैसा लिखा गया',
  saidNone: 'कुछ नहीं लिखा गया।',
  atStartTitle: 'अवलोकन शुरू होते समय कंप्यूटर ने क्या दर्ज किया',
  notedTitle: 'कंप्यूटर ने क्या दर्ज किया',
  notedNone: 'कुछ दर्ज नहीं हुआ।',
}
