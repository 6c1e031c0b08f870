import { hubLanguages } from '@birdhub/domain/language';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Query parameters of `GET /report/pdf`. */
export const ReportQuerySchema = Type.Object({
  month: text('A calendar month of the hub, `YYYY-MM`; or else both times'),
  start_time: text('Start of the period: unix seconds UTC or RFC 3339; with `end_time`'),
  end_time: text('End of the period, not itself in it; at most 93 days after the start'),
  language: Type.Optional(
    literals([...hubLanguages], { description: 'Language of the report; that of the client without it' }),
  ),
});
