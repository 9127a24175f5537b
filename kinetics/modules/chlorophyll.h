/* SPDX-License-Identifier: Apache-2.0
 *
 * Chlorophyll of algae that are counted in nitrogen: 50 g of carbon per g of chlorophyll, 106 C to 16 N.
 */
#ifndef MAEOTIS_KINETICS_CHLOROPHYLL_H
#define MAEOTIS_KINETICS_CHLOROPHYLL_H

#define CHLOROPHYLL_PER_N (106.0 / 16 * 12.011 / 50) /* [mg mmol-1] */
#define CHLOROPHYLL_WORDS "chlorophyll per nitrogen of algae; the default is 50 g of carbon per g of it"
#define CHLOROPHYLL_CF    "mass_concentration_of_phytoplankton_expressed_as_chlorophyll_in_sea_water"

#endif
