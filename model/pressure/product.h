/* SPDX-License-Identifier: Apache-2.0
 *
 * The product of the whole system with a pressure. On a processor the gradient of a row and what it drives out of the
 * row's columns are found before the next row, so that velocities between the two stay in the cache. On a GPU and on the
 * emulator each covers the whole field. The arithmetic is the same. Ranks exchange nothing: with a halo of the pressure
 * they find the gradient on the faces beyond their own cells themselves.
 */
#ifndef MAEOTIS_MODEL_PRESSURE_PRODUCT_H
#define MAEOTIS_MODEL_PRESSURE_PRODUCT_H

#include "model/pressure/pressure.h"

typedef struct Product Product;

/* Local. */
Product *product_create(const Grid *grid, Exec exec);
void product_destroy(Product **product);

/* The gradients are of `columns.p`, whose halo is filled, and end in its accelerations, of which nothing is to be kept.
 * Local. */
void product_find(const Product *product, Exec exec, PressureGradient u, PressureGradient v,
                  PressureColumns columns);

#endif
